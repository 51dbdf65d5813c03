/* SPDX-License-Identifier: Apache-2.0
 *
 * For `make coverage` alone, linked by --wrap into every program that counts: a process that ends
 * without the exit handlers writes its counts first.
 */
extern void __gcov_dump(void);
extern void __real__Exit(int code);
extern int __real_raise(int number);
void __wrap__Exit(int code);
int __wrap_raise(int number);

void __wrap__Exit(int code)
{
    __gcov_dump();
    __real__Exit(code);
}

int __wrap_raise(int number)
{
    __gcov_dump();
    return __real_raise(number);
}

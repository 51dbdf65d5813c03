# SPDX-License-Identifier: Apache-2.0
"""Builds the select library with one edit (scripts/mutate_c) and runs the tests over it.

The library is a shared object, so that the tests are built once: with and without sanitizers, below
build/mutate_c. A mutant costs the compilation of what it changes and a link.
"""

import concurrent.futures
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from mutate_store import digest

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / os.environ.get("BUILD", "build") / "mutate_c"
CC = shlex.split(os.environ.get("CC", "cc"))
SELECT = ROOT / "cmodel" / "select"
TEST_LISTS = ["cmodel/test/select_tests.list", "cmodel/test/trace_tests.list",
              "docs/docs_tests.list"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS = ["-std=c11", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
         "-Werror=implicit-function-declaration", "-fPIC"]
INCLUDE = [f"-I{ROOT}/cmodel/include", f"-I{OUT}/gen"]
# Any of them that makes the same code of both shows that an edit is no fault.
COMPILERS = [[*CC, "-O2"], [*CC, "-O3"], [*CC, "-O1"], ["clang-14", "-O2"]]
# select_api takes the library's memory away: as in cmodel/select.mk, but the library is a shared
# object, so that its calls must be those of the program, and each program must have one.
WRAP = "-Wl,--wrap=calloc"
OWN_CALLOC = ["select_api"]
# Programs that call nothing of cmodel/select, or only its hashes, which have tests of their own;
# some take the memory away by themselves.
BESIDE = re.compile(r"trace_(schedule|collective|pattern|import|chakra|capture|refusals|no_memory"
                    r"|identify|cut|source|sonic|formats|decision_log)(_\w+)?")
CALLOC = """#include <stdlib.h>
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) { return calloc(n, size); }
"""
MEMORY = 3 << 30
QUICK = 0.3  # seconds of a test that runs before compilers compare
CUT_OFF = "cut off"
CUT = 0.5  # seconds after which a call with --quick, which runs only those, gives a test up


class Fault(Exception):
    """A step that failed, or a list that cannot be run."""


class Test:
    """A program over the library, and what it took with the library as it is."""

    def __init__(self, name, program, args, sanitized):
        self.name, self.program, self.args, self.sanitized = name, program, args, sanitized
        self.seconds, self.digest = 0.0, ""

    @property
    def source(self):
        """The program's source."""
        return ROOT / "cmodel" / "test" / f"{self.program}.c"


def compiled(command, cwd=None):
    """Runs a compiler; what it says if it fails."""
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout or "failed"


def must(command):
    """A compiler run that has to succeed."""
    said = compiled(command)
    if said:
        raise Fault(f"{' '.join(map(str, command))}\n{said}")


def run_all(commands):
    """Compiler runs, two at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(must, commands))


def base_dir(sanitized):
    """Where the library as it is and the tests are, with or without sanitizers."""
    return OUT / ("sanitized" if sanitized else "base")


def flags(sanitized):
    """Compiler flags, likewise."""
    return [*FLAGS, "-O1", *(SANITIZE if sanitized else [])]


def make_header():
    """egret_configs.h, which the sources include."""
    (OUT / "gen").mkdir(parents=True, exist_ok=True)
    text = subprocess.run(["awk", "-f", "scripts/gen_configs.awk", "configs.mk"], cwd=ROOT,
                          stdout=subprocess.PIPE, check=True).stdout
    (OUT / "gen" / "egret_configs.h").write_bytes(text)


def read_tests():
    """The tests of the lists that run a program over the library."""
    tests = []
    for path in TEST_LISTS:
        for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
            fields = line.split("\t")
            if line.startswith("#") or len(fields) != 3 or fields[1] != "run":
                continue
            found = re.fullmatch(r"build/test/(asan/)?((?:select|trace|spec)_\w+)( [^|;]*)?",
                                 fields[2])
            # not those that need the RTL, or data that may not be there
            if found and " rtl " not in fields[2] and not fields[0].endswith("_data") \
                    and not BESIDE.fullmatch(found.group(2)) \
                    and (ROOT / "cmodel" / "test" / f"{found.group(2)}.c").exists():
                args = []
                for word in (found.group(3) or "").split():
                    args += sorted(str(p.relative_to(ROOT)) for p in ROOT.glob(word)) \
                        if "*" in word else [word]
                tests.append(Test(fields[0], found.group(2), args, bool(found.group(1))))
    # a short run of the one that finds most
    tests.append(Test("select_model_short", "select_model", ["3000"], False))
    for test in tests:
        test.digest = digest(test.name, *depends(test.source), *trace_sources(test.program),
                             *[ROOT / a if (ROOT / a).is_file() else a for a in test.args])
    return tests


def includes(path, header):
    """Does a source of cmodel/select include a header of it, itself or by another one?"""
    return any(p.name == header for p in depends(path)[1:])


def depends(source):
    """A test's source and the headers beside it that it includes."""
    found, due = {}, [source]
    while due:
        path = due.pop()
        if path not in found and path.exists():
            found[path] = True
            due += [path.parent / name for name in re.findall(
                r'^#include "([^"/]+)"', path.read_text(encoding="utf-8"), re.M)]
    return list(found)


def trace_sources(program):
    """What a test of the trace library depends on, too."""
    if program.startswith("select_"):
        return []
    return sorted((ROOT / "cmodel" / "trace").glob("*.[ch]"))


def link(where, objects, sanitized):
    """The library as a shared object; what the linker says if it fails."""
    return compiled([*CC, *flags(sanitized), "-shared", "-Wl,-Bsymbolic-functions", WRAP,
                     "-o", where / "libegret_select.so", *objects])


def build_base(tests, sanitized):
    """The library and its tests, as they are, with or without sanitizers."""
    base = base_dir(sanitized)
    key = digest(*sorted([*SELECT.glob("*.[ch]"), *(ROOT / "cmodel/include/egret").glob("*.h"),
                          *(ROOT / "cmodel/trace").glob("*.[ch]"), OUT / "gen/egret_configs.h"]),
                 *sorted(t.digest for t in tests), *CC, *flags(sanitized), CALLOC)
    if (base / "key").exists() and (base / "key").read_text(encoding="utf-8") == key:
        return
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    sources = [(c, base / f"{c.stem}.o") for c in sorted(SELECT.glob("*.c"))]
    trace = [(c, base / f"trace_{c.stem}.obj") for c in sorted(
        {c for t in tests for c in trace_sources(t.program) if c.suffix == ".c"})]
    run_all([[*CC, *flags(sanitized), *INCLUDE, "-c", c, "-o", o] for c, o in sources + trace])
    link(base, [o for _, o in sources], sanitized)
    must(["ar", "rcs", base / "libtrace.a", *[o for _, o in trace]])
    (base / "calloc.c").write_text(CALLOC, encoding="utf-8")
    must([*CC, *flags(sanitized), "-c", base / "calloc.c", "-o", base / "calloc.obj"])
    probe = base / "zlib.c"
    probe.write_text("#include <zlib.h>\nint main(void) { return 0; }\n", encoding="utf-8")
    lacking = compiled([*CC, probe, "-lz", "-o", base / "zlib"])
    zlib = [] if lacking else ["-DEGRET_HAVE_ZLIB", "-lz"]
    run_all([[*CC, *flags(sanitized), *INCLUDE, f"-I{ROOT}/cmodel/test", source, "-rdynamic",
              "-o", base / program, base / "libtrace.a", f"-L{base}", "-legret_select", "-lm",
              "-lyaml", "-ljansson", "-lz", "-pthread", "-ldl",
              WRAP if program in OWN_CALLOC else base / "calloc.obj",
              *(zlib if program == "select_oracle" else [])]
             for program, source in sorted({(t.program, t.source) for t in tests})])
    (base / "key").write_text(key, encoding="utf-8")


def run_test(test, where, limit, cut=0.0):
    """How a test failed with the library in a folder, or an empty text; and its seconds. One that
    takes more than `cut` is ended, and its text is CUT_OFF."""
    def limits():
        if cut:
            signal.setitimer(signal.ITIMER_PROF, cut)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not test.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # two workers must not find each other's files
    env = dict(os.environ, LD_LIBRARY_PATH=str(where), EGRET_SCRATCH=str(where))
    before = time.monotonic()
    with subprocess.Popen([base_dir(test.sanitized) / test.program, *test.args], cwd=ROOT,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=env, preexec_fn=limits) as child:
        killer = threading.Timer(60 + 20 * limit, child.kill)
        killer.start()
        try:
            # the end of the output is enough, and some mutants print without end
            tail = b""
            while chunk := child.stdout.read1(65536):
                tail = (tail + chunk)[-65536:]
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            killer.cancel()
    seconds = usage.ru_utime + usage.ru_stime
    if cut and child.returncode == -signal.SIGPROF:
        return CUT_OFF, seconds
    said = tail.decode("utf-8", "replace")
    results = re.findall(r"^RESULT pass=(\d+) fail=(\d+)$", said, re.M)
    if child.returncode == 0 and results and all(int(p) > 0 and f == "0" for p, f in results):
        return "", seconds
    if seconds >= limit - 0.2 or time.monotonic() - before >= 60 + 20 * limit:
        return "hang", seconds
    lines = [x for x in said.splitlines() if x.strip() and not x.startswith("RESULT")]
    return (lines[0] if lines else f"exit {child.returncode}")[:160], seconds


class Bench:
    """The tests, built and measured when they are needed; all must pass without a mutant."""

    def __init__(self, tests, quick, thorough, told):
        self.all, self.quick, self.thorough, self.told = tests, quick, thorough, told
        self.ready, self.lock = {}, threading.Lock()

    def tests(self, sanitized):
        """The tests with or without sanitizers, the quickest first."""
        with self.lock:
            if sanitized not in self.ready:
                # the trace library takes longer to build than all that a sample does with it
                mine = [t for t in self.all if t.sanitized == sanitized
                        and not (self.quick and trace_sources(t.program))]
                self.told(f"building {len(mine)} tests")
                build_base(mine, sanitized)
                for test in mine:
                    self.told(f"unchanged: {test.name}")
                    said, test.seconds = run_test(test, base_dir(sanitized), 600,
                                                  CUT if self.quick else 0.0)
                    if said and said != CUT_OFF:
                        raise Fault(f"{test.name} fails without a mutant: {said}")
                self.ready[sanitized] = sorted(mine, key=lambda t: t.seconds)
        return self.ready[sanitized]


class Worker:
    """Builds and runs mutants in a folder of its own."""

    def __init__(self, number, bench):
        self.dir, self.bench = OUT / f"work{number}", bench

    def write(self, m):
        """Writes the sources that an edit changes, old and new; returns their names."""
        shutil.rmtree(self.dir, ignore_errors=True)
        for side in ("old", "new"):
            (self.dir / side).mkdir(parents=True)
        files = [m.edit.file] if m.edit.file.endswith(".c") else \
            [p.name for p in sorted(SELECT.glob("*.c")) if includes(p, m.edit.file)]
        for name in [*files, *[p.name for p in SELECT.glob("*.h")]]:
            for side in ("old", "new"):
                shutil.copy(SELECT / name, self.dir / side / name)
        source = (SELECT / m.edit.file).read_text(encoding="utf-8")
        (self.dir / "new" / m.edit.file).write_text(m.edit.applied(source), encoding="utf-8")
        return files

    def library(self, m, files, sanitized):
        """Builds the library with the edit; what the compiler says if it does not."""
        new, base = self.dir / "new", base_dir(sanitized)
        for name in files:
            said = compiled([*CC, *flags(sanitized), *m.edit.define, *INCLUDE, f"-I{SELECT}",
                             "-c", name, "-o", f"{name[:-2]}.o"], new)
            if said:
                return said
        own = {f"{name[:-2]}.o" for name in files}
        return link(new, [new / o for o in sorted(own)]
                    + [o for o in sorted(base.glob("*.o")) if o.name not in own], sanitized)

    def equivalent(self, m, files):
        """The compiler that makes the same code of both, if one does."""
        for compiler in COMPILERS:
            if not shutil.which(compiler[0]):
                continue
            for name in files:
                said = ""
                for side in ("old", "new"):
                    said += compiled([*compiler, *FLAGS, *m.edit.define, *INCLUDE, f"-I{SELECT}",
                                      "-c", name, "-o", "same.o"], self.dir / side)
                if said or (self.dir / "old/same.o").read_bytes() \
                        != (self.dir / "new/same.o").read_bytes():
                    break
            else:
                return " ".join(compiler)
        return ""

    def found(self, m, sanitized, some=lambda test: True):
        """Runs some tests until one finds a mutant."""
        for test in filter(some, self.bench.tests(sanitized)):
            said, _ = run_test(test, self.dir / "new", int(10 * test.seconds) + 3)
            if said:
                m.state, m.by, m.text = "killed", test.name, said
                return True
        return False

    def judge(self, m):
        """What becomes of a mutant."""
        started = time.monotonic()
        self.bench.tests(False)
        files = self.write(m)
        said = self.library(m, files, False)
        if said:
            m.state, m.text = "broken", said.splitlines()[0]
        elif not self.found(m, False, lambda t: t.seconds < QUICK):
            m.by = self.equivalent(m, files)
            m.state = "equivalent" if m.by else "explained" if m.why else "survived"
            m.text = "" if m.by else m.why
            slow = self.bench.thorough if m.why else not self.bench.quick
            if not m.by and slow and not self.found(m, False, lambda t: t.seconds >= QUICK):
                self.bench.tests(True)
                said = self.library(m, files, True)
                if said:
                    raise Fault(f"{m.name}: {said}")
                self.found(m, True)
        m.seconds = time.monotonic() - started

# SPDX-License-Identifier: Apache-2.0
"""stub"""


def prove(*_):
    """stub"""
    return ""

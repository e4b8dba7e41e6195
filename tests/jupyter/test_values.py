"""The values for Zero to JupyterHub, by the chart's own schema.

Needs a copy of the chart (jupyterhub/ of zero-to-jupyterhub-k8s), which
METTLE_CHART names: it is not on PyPI.
"""
import copy
import os
import re
import sys
import unittest

import jsonschema
import yaml


def read(folder, name):
    with open(os.path.join(folder, name)) as f:
        return yaml.safe_load(f)


def merged(base, ours):
    """As Helm lays values over those of the chart."""
    if not isinstance(base, dict) or not isinstance(ours, dict):
        return copy.deepcopy(ours)
    result = copy.deepcopy(base)
    for key, value in ours.items():
        result[key] = merged(base.get(key), value)
    return result


class Values(unittest.TestCase):
    def setUp(self):
        chart = os.environ["METTLE_CHART"]
        self.ours = read(os.path.join(os.environ["METTLE_DATA"],
                                      "packaging/hub"), "values.yaml")
        self.base = read(chart, "values.yaml")
        self.schema = read(chart, "values.schema.yaml")

    def test_keep_the_schema(self):
        jsonschema.validate(merged(self.base, self.ours), self.schema)

    def test_homes_are_kept(self):
        """The volume is mounted where the image's user lives."""
        image = os.path.join(os.environ["METTLE_DATA"],
                             "packaging/hub/Containerfile")
        with open(image) as f:
            user = re.search(r"ARG NB_USER=(\w+)", f.read()).group(1)
        self.assertEqual(self.ours["singleuser"]["storage"]["homeMountPath"],
                         "/home/" + user)

    def test_a_mistake_is_seen(self):
        self.ours["singleuser"]["memory"]["limits"] = "1G"
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(merged(self.base, self.ours), self.schema)


if __name__ == "__main__":
    if not os.environ.get("METTLE_CHART"):
        print("0 passed, 0 failed, 1 skipped: METTLE_CHART names no chart")
        sys.exit(0)
    ended = unittest.main(verbosity=2, exit=False).result
    bad = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)

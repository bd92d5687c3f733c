"""Names of images, against those that are published."""

from __future__ import annotations

import pytest

from eval.suites.swebench.images import image_name
from reasoningbank.errors import SetupError


@pytest.mark.parametrize(
    ("instance_id", "name"),
    [
        ("django__django-11099", "swebench/sweb.eval.x86_64.django_1776_django-11099:latest"),
        ("astropy__astropy-12907", "swebench/sweb.eval.x86_64.astropy_1776_astropy-12907:latest"),
        ("scikit-learn__scikit-learn-10297", "swebench/sweb.eval.x86_64.scikit-learn_1776_scikit-learn-10297:latest"),
        # a registry takes no capitals
        ("PyCQA__pylint-4970", "swebench/sweb.eval.x86_64.pycqa_1776_pylint-4970:latest"),
    ],
)
def test_names_as_they_are_published(instance_id: str, name: str) -> None:
    assert image_name(instance_id) == name


def test_images_that_were_built_here_keep_the_underscores() -> None:
    assert image_name("a__b-1", namespace=None) == "sweb.eval.x86_64.a__b-1:latest"
    assert image_name("a__b-1", namespace="mine", arch="arm64", tag="v2") == "mine/sweb.eval.arm64.a_1776_b-1:v2"


def test_no_images_of_other_machines() -> None:
    with pytest.raises(SetupError, match="arch=amd64"):
        image_name("a__b-1", arch="amd64")

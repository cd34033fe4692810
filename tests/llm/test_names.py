"""Names of models (S24)."""

import pytest

from siturec_gym.llm.names import ModelName, chosen_by, model_name


@pytest.mark.parametrize("name", ["llm:a/b:c", "hf:models/tiny", "hf:hf:x"])
def test_a_name_says_where_the_model_is_and_what_it_is_called(name):
    kind, _, model = name.partition(":")
    found = model_name(name)
    assert found == ModelName(kind, model)
    assert chosen_by(found.label) == name


@pytest.mark.parametrize("name", ["rules", "", "gpt:4", "LLM:x"])
def test_other_names_are_no_models(name):
    assert model_name(name) is None


@pytest.mark.parametrize("name", ["llm:", "hf:"])
def test_a_model_must_have_a_name(name):
    with pytest.raises(ValueError, match=f"'{name}' names no model; give llm:MODEL or hf:PATH"):
        model_name(name)

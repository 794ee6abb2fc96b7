# SPDX-License-Identifier: MIT
"""Anybody's model as a function of a batch, and what it weighs."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hqe.collecting.data import torch_module
from hqe.collecting.lipschitz import Anchors, Ball, estimated
from hqe.collecting.outputs import Failure

Call = Callable[[Any], Any]


def as_numpy(inputs: Any) -> Any:
    """A tensor as NumPy sees it; anything else as it is."""
    torch = torch_module()
    if torch is not None and isinstance(inputs, torch.Tensor):
        return inputs.detach().cpu().numpy()
    return inputs


class Model:
    """A function of a batch. `form` is the kind of what it returns, where that is known, and
    `classes` the names of the classes that it knows."""

    def __init__(self, call: Call, form: str | None = None, classes: Any = None) -> None:
        self.form = form
        self.classes = None if classes is None else np.asarray(classes)
        self._call = call

    @contextmanager
    def opened(self) -> Iterator[Call]:
        """The function, ready to work; the model is as it was before, afterwards."""
        yield self._call

    @contextmanager
    def one_thread(self) -> Iterator[Call]:
        """The same on one thread, as far as that can be had."""
        with self.opened() as call, _one_thread():
            yield call

    def size(self) -> dict[str, float]:
        """Those of params, memory_mb and file_bytes that are known."""
        return {}

    def multiply_adds(self, inputs: Any) -> float | None:
        """Of one sample, which `inputs` holds; None where they cannot be counted."""
        return None

    def lipschitz(self, anchors: Anchors, ball: Ball, gives_logits: bool) -> dict[str, Any]:
        """The estimated bound of its gradient, with where it holds; nothing where there are no gradients."""
        return {}


@contextmanager
def _one_thread() -> Iterator[None]:
    torch = torch_module()
    before = None if torch is None else torch.get_num_threads()
    try:
        if torch is not None:
            torch.set_num_threads(1)
        try:
            from threadpoolctl import threadpool_limits
        except ImportError:
            yield
            return
        with threadpool_limits(1):
            yield
    finally:
        if torch is not None:
            torch.set_num_threads(before)


class TorchModel(Model):
    """A torch.nn.Module: evaluated without gradients, on the device where its weights are."""

    def __init__(self, module: Any) -> None:
        super().__init__(self._run)
        self._module = module

    def _weights(self) -> list[Any]:
        return [*self._module.parameters(), *self._module.buffers()]

    def _run(self, inputs: Any) -> Any:
        torch = torch_module()
        with torch.no_grad():
            return self._module(_on_device(inputs, next(iter(self._weights()), None)))

    @contextmanager
    def opened(self) -> Iterator[Call]:
        devices = sorted({str(weight.device) for weight in self._weights()})
        if "meta" in devices:
            raise Failure("its weights are on the device 'meta', where there are no values. Load them first")
        training = [(module, module.training) for module in self._module.modules()]
        self._module.eval()
        try:
            yield self._run
        finally:
            for module, was in training:
                module.training = was

    def size(self) -> dict[str, float]:
        kept = {id(weight): weight for weight in self._weights()}.values()
        return {
            "params": sum(weight.numel() for weight in self._module.parameters()),
            "memory_mb": sum(weight.numel() * weight.element_size() for weight in kept) / 1e6,
        }

    def multiply_adds(self, inputs: Any) -> float | None:
        from hqe.collecting.torch_operations import multiply_adds

        with self.opened() as call:
            return multiply_adds(call, inputs)

    def lipschitz(self, anchors: Anchors, ball: Ball, gives_logits: bool) -> dict[str, Any]:
        with self.opened():
            inputs = _on_device(anchors.tensor(), next(iter(self._weights()), None))
            return estimated(self._module, inputs, ball, gives_logits)


def _on_device(inputs: Any, weight: Any) -> Any:
    """The batch as a tensor beside the weights; floats in the weights' precision."""
    torch = torch_module()
    if isinstance(inputs, dict):
        return {key: _on_device(column, weight) for key, column in inputs.items()}
    if not isinstance(inputs, torch.Tensor):
        inputs = torch.from_numpy(np.array(inputs))  # A copy: a memmap may be read-only.
    if weight is None:
        return inputs
    same = inputs.is_floating_point() and weight.is_floating_point()
    return inputs.to(weight.device, weight.dtype) if same else inputs.to(weight.device)


class OnnxModel(Model):
    """A file that onnxruntime runs; open only while it works."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__(self._closed)
        self.path = path

    def _closed(self, inputs: Any) -> Any:
        raise AssertionError("opened() gives the function")

    def _session(self, threads: int) -> Any:
        try:
            import onnxruntime
        except ImportError:
            raise Failure("onnxruntime is not installed. pip install 'hqe[onnx]'") from None
        if not self.path.is_file():
            raise Failure(f"there is no file {self.path}. Check the path")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # What goes wrong is raised too.
        providers = ["CPUExecutionProvider"]
        if threads:
            options.intra_op_num_threads = options.inter_op_num_threads = threads
        else:
            providers = [one for one in onnxruntime.get_available_providers() if one != "AzureExecutionProvider"]
        try:
            return onnxruntime.InferenceSession(os.fspath(self.path), options, providers=providers)
        except Exception as error:
            raise Failure(f"{self.path}: onnxruntime cannot open it ({_first_line(error)})") from None

    @contextmanager
    def opened(self) -> Iterator[Call]:
        yield Session(self._session(0))

    @contextmanager
    def one_thread(self) -> Iterator[Call]:
        yield Session(self._session(1))

    def size(self) -> dict[str, float]:
        from hqe.collecting.onnx_graph import weights

        return weights(self.path)

    def multiply_adds(self, inputs: Any) -> float | None:
        from hqe.collecting.onnx_graph import multiply_adds

        return multiply_adds(self.path, inputs)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


_ONNX_TYPES = {"float": np.float32, "float16": np.float16, "double": np.float64, "int64": np.int64,
               "int32": np.int32, "uint8": np.uint8, "int8": np.int8, "bool": np.bool_}  # fmt: skip


class Session:
    """An onnxruntime session as a function of a batch of any size."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._inputs = session.get_inputs()
        floats = [one for one in session.get_outputs() if one.type in ("tensor(float)", "tensor(double)", "tensor(float16)")]
        whole = [one for one in session.get_outputs() if one.type == "tensor(int64)"]
        if not floats and not whole:
            kinds = ", ".join(one.type for one in session.get_outputs())
            raise Failure(f"its outputs are {kinds}, and none is a tensor of scores. Export it without ZipMap")
        self._output = (floats or whole)[0].name
        size = self._inputs[0].shape[0] if self._inputs[0].shape else None
        self._fixed = size if isinstance(size, int) and size > 0 else None

    def feed(self, inputs: Any) -> dict[str, Any]:
        """The batch as the graph takes it."""
        if isinstance(inputs, dict):
            columns = {str(key): as_numpy(column) for key, column in inputs.items()}
        elif len(self._inputs) == 1:
            columns = {self._inputs[0].name: as_numpy(inputs)}
        else:
            names = ", ".join(one.name for one in self._inputs)
            raise Failure(f"it has the inputs {names}. Wrap it in a function that feeds them")
        feed = {}
        for one in self._inputs:
            if one.name not in columns:
                raise Failure(f"its input {one.name} is no column of the data")
            kind = _ONNX_TYPES.get(one.type.removeprefix("tensor(").removesuffix(")"))
            values = np.asarray(columns[one.name])
            numbers = kind is not None and values.dtype.kind == "f" and np.dtype(kind).kind == "f"
            feed[one.name] = np.ascontiguousarray(values, kind if numbers else None)
        return feed

    def __call__(self, inputs: Any) -> Any:
        return self.run([self._output], inputs)[0]

    def run(self, outputs: list[str], inputs: Any) -> list[Any]:
        """Outputs by name."""
        feed = self.feed(inputs)
        rows = len(next(iter(feed.values())))
        if self._fixed is None or self._fixed == rows:
            return list(self._session.run(outputs, feed))
        answers = []
        for start in range(0, rows, self._fixed):  # The graph takes batches of one size only.
            part = {name: column[start : start + self._fixed] for name, column in feed.items()}
            have = min(self._fixed, rows - start)
            part = {name: np.concatenate([c, np.repeat(c[-1:], self._fixed - have, 0)]) for name, c in part.items()}
            answers.append([one[:have] for one in self._session.run(outputs, part)])
        return [np.concatenate(parts) for parts in zip(*answers)]


def model_of(value: Any) -> Model:
    """What `value` is as a model, without opening it."""
    torch = torch_module()
    if isinstance(value, (str, os.PathLike)):
        path = pathlib.Path(value)
        if path.suffix.lower() != ".onnx":
            raise Failure(f"{path}: only .onnx files can be run. Load it, and give the model")
        return OnnxModel(path)
    if torch is not None and isinstance(value, torch.nn.Module):
        return TorchModel(value)
    if isinstance(value, type):
        raise Failure(f"{value.__name__} is a class. Give a fitted model of it")
    classes = getattr(value, "classes_", None)
    for method, form in (("predict_proba", "probabilities"), ("decision_function", "logits"), ("predict", "labels")):
        if callable(getattr(value, method, None)):
            run = getattr(value, method)
            # What predicts without knowing classes may give anything: a booster gives probabilities.
            known = None if method == "predict" and classes is None else form
            return Model(lambda inputs: run(as_numpy(inputs)), known, classes)
    if callable(value):
        return Model(value)
    raise Failure(f"{type(value).__name__} cannot be run. Give an estimator, a torch module, a .onnx path or a function")

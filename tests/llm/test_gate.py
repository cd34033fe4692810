"""Who passes a gate, when, and in which order."""

import threading
import time

from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.gate import Gate, gate_of


def test_who_comes_first_passes_first_and_a_late_comer_does_not_push_in():
    gate, order = Gate(1), []

    def pass_once(number):
        with gate.passing():
            order.append(number)

    with gate.passing():
        threads = [threading.Thread(target=pass_once, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
            time.sleep(0.02)
    for _ in range(20):  # comes again and again, and waits its turn each time
        pass_once("late")
    for thread in threads:
        thread.join()
    assert [number for number in order if number != "late"] == list(range(8))
    assert order.index("late") == 8


def test_never_more_than_allowed_are_underway_and_no_place_is_lost():
    gate, lock = Gate(3), threading.Lock()
    underway = most = passed = 0

    def pass_often():
        nonlocal underway, most, passed
        for _ in range(50):
            try:
                with gate.passing():
                    with lock:
                        underway += 1
                        most = max(most, underway)
                    time.sleep(0.0002)
                    with lock:
                        underway -= 1
                        passed += 1
                    raise KeyError
            except KeyError:
                pass

    threads = [threading.Thread(target=pass_often) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (passed, most, underway) == (500, 3, 0)
    assert gate._places == 3


def test_requests_are_spaced_over_the_minute():
    gate, times = Gate(10, per_minute=1200.0), []

    def pass_once():
        with gate.passing():
            times.append(time.monotonic())

    threads = [threading.Thread(target=pass_once) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(times) - min(times) >= 4 * 0.05 - 0.005


def test_one_gate_for_all_clients_of_an_endpoint():
    assert gate_of(Endpoint("http://a/v1")) is gate_of(Endpoint("http://a/v1/"))
    assert gate_of(Endpoint("http://a/v1")) is not gate_of(Endpoint("http://b/v1"))

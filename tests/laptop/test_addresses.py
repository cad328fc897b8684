"""Listening sockets, network addresses and the lock of the data folder."""

import ipaddress

import pytest

from deploy import addresses, data_folder, embedded_broker


def test_listening_on_a_foreign_address_is_refused_with_a_hint():
    with pytest.raises(addresses.CannotListen, match="leave out --host"):
        addresses.listen("192.0.2.77", 0)


def test_a_port_in_use_suggests_the_next_one():
    with addresses.listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(addresses.CannotListen, match=f"--port {port + 1}"):
            addresses.listen("127.0.0.1", port)
        with pytest.raises(addresses.CannotListen, match=f"--https-port {port + 1}"):
            addresses.listen("127.0.0.1", port, "--https-port")


def test_only_reachable_addresses_are_shown_to_phones():
    reachable = [ipaddress.ip_address(address) for address in addresses.local_addresses()]
    assert len(set(reachable)) == len(reachable)
    assert not [address for address in reachable if address.is_loopback or address.is_link_local]


def test_the_terminal_qr_code_is_square():
    lines = addresses.terminal_qr_code("http://192.0.2.20:8000/").splitlines()
    assert len({len(line) for line in lines if line.strip()}) == 1
    assert set("".join(lines)) <= set("█▀▄ ")


def test_a_nearly_full_disk_is_refused(tmp_path):
    assert "nearly full (3 MB free)" in data_folder.space_problem(3_000_000, tmp_path)
    assert data_folder.space_problem(800_000_000, tmp_path) == ""


def test_a_data_folder_has_one_lock_holder(tmp_path):
    first = data_folder.acquire_lock(tmp_path)
    assert first is not None
    data_folder.write_status(first, {"url": "http://127.0.0.1:8000"})
    assert data_folder.acquire_lock(tmp_path) is None
    assert data_folder.read_status(tmp_path)["url"] == "http://127.0.0.1:8000"
    first.close()
    again = data_folder.acquire_lock(tmp_path)
    assert again is not None
    again.close()


def test_only_leftovers_of_a_killed_installation_are_removed(tmp_path):
    sockets, other_folder = tmp_path / f"{embedded_broker.PREFIX}sockets", tmp_path / "kept"
    [counts] = data_folder.metrics_environment(tmp_path, 2).values()
    for folder in (sockets, other_folder):
        folder.mkdir()
    for status in ({"folder": str(other_folder), "counts": ""}, {"folder": str(sockets), "counts": counts}):
        with data_folder.acquire_lock(tmp_path) as lock:
            data_folder.write_status(lock, status)
        data_folder.remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["kept"]

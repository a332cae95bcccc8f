"""What must hold before a database is seeded, and the names this program gives."""

from dataclasses import replace

import pytest

from app.domain.errors import BadInput
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod, SeedingRequirements
from app.systems.availability_groups.seeding_server.copies import check_backup, check_direct, check_requirements
from app.systems.availability_groups.seeding_server.naming import check_test_database_name, file_stem, job_name
from tests.unit.targets.sqlserver.scripted import MOMENT

FIT = SeedingRequirements(1_000.0, 500.0, 2_000.0, None, "manual", False, "FULL", MOMENT, 0)


@pytest.mark.parametrize(
    ("found", "part"),
    [
        (replace(FIT, recovery_model=""), "no database Sales"),
        (replace(FIT, recovery_model="SIMPLE"), "recovery model SIMPLE"),
        (replace(FIT, recovery_model="BULK_LOGGED"), "recovery model BULK_LOGGED"),
        (replace(FIT, last_full_backup=None), "no full backup"),
        (replace(FIT, free_secondary_mb=1_050.0), "B has 1,050 MB free"),
    ],
)
def test_unfit_database_is_refused(found: SeedingRequirements, part: str) -> None:
    """Simple recovery, a missing full backup and too little disk are each a sentence."""
    check_requirements("Sales", "B", FIT)
    with pytest.raises(BadInput) as caught:
        check_requirements("Sales", "B", found)
    assert part in str(caught.value)


def test_unknown_free_space_is_no_reason() -> None:
    """What a server does not tell is not held against it."""
    check_requirements("Sales", "B", replace(FIT, free_secondary_mb=None))
    check_backup("Sales", "B", BackupOptions("\\\\share"), FIT)


@pytest.mark.parametrize(
    ("options", "found", "part"),
    [
        (BackupOptions("E:\\"), replace(FIT, free_backup_mb=900.0), "has 900 MB free"),
        (BackupOptions("E:\\"), replace(FIT, seeding_mode="automatic"), "SEEDING_MODE to be MANUAL"),
        (BackupOptions("E:\\", stripes=0), FIT, "1 to 64 files"),
        (BackupOptions("E:\\", buffer_count=-1), FIT, "BUFFERCOUNT -1"),
        (BackupOptions("E:\\", max_transfer_kb=8192), FIT, "MAXTRANSFERSIZE 8192 KB"),
    ],
)
def test_unfit_backup_is_refused(options: BackupOptions, found: SeedingRequirements, part: str) -> None:
    """A full folder, automatic seeding that would come first, and options BACKUP does not take."""
    with pytest.raises(BadInput) as caught:
        check_backup("Sales", "B", options, found)
    assert part in str(caught.value)


def test_direct_seeding_needs_2016() -> None:
    """A version without SEEDING_MODE is told to use backup and restore."""
    check_direct(SeedingMethod.DIRECT, "B", "automatic")
    with pytest.raises(BadInput, match="begins with SQL Server 2016"):
        check_direct(SeedingMethod.DIRECT, "B", "")


@pytest.mark.parametrize("name", ["Sales", "My Replitune", "Replitune" + "x" * 110])
def test_test_database_has_this_programs_name(name: str) -> None:
    """A name that could be a client's, or is too long, is refused."""
    with pytest.raises(BadInput, match="cannot be called"):
        check_test_database_name(name)


@pytest.mark.parametrize(
    ("folder", "start"),
    [
        ("\\\\share\\backup\\", "\\\\share\\backup\\Replitune_"),
        ("E:\\backup", "E:\\backup\\Replitune_"),
        ("/var/backup", "/var/backup/Replitune_"),
    ],
)
def test_backup_files_have_names_any_system_takes(folder: str, start: str) -> None:
    """Whatever a database is called, its files end in plain letters and digits, and differ from another's."""
    stem = file_stem(folder, "a/b:c*'😀")
    assert stem.startswith(start)
    assert stem.removeprefix(start).isalnum()
    assert stem != file_stem(folder, "other")
    assert job_name("a/b:c*'😀").isascii()

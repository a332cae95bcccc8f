"""Certificates of an authority of the test's own, for a lab to prove itself with."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


class Authority:
    """Issues certificates; who trusts `file` trusts them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._certificate = self._sign(_name("test authority"), self._key.public_key(), timedelta(days=30), is_ca=True)
        self.file = folder / "authority.pem"
        self.file.write_bytes(self._certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, valid_for: timedelta) -> Path:
        """Return a file with a key and its certificate for this machine, which is valid from two days ago on."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._sign(_name("localhost"), key.public_key(), valid_for, is_ca=False)
        file = self._folder / f"server-{valid_for.days}.pem"
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
        return file

    def _sign(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, valid_for: timedelta, *, is_ca: bool
    ) -> x509.Certificate:
        began = datetime.now(UTC) - timedelta(days=2)
        # Microsoft's driver compares an address with the names, too
        names = [x509.DNSName("localhost"), x509.DNSName("127.0.0.1")]
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(_name("test authority"))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(began)
            .not_valid_after(began + valid_for)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .sign(self._key, hashes.SHA256())
        )

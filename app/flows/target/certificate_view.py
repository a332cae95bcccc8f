"""A certificate this computer does not trust, for the person who decides whether it is the server's."""

from dataclasses import dataclass

from app.domain.connection import ShownCertificate
from app.foundation.texts import _


@dataclass(frozen=True)
class CertificateView:
    """The sheet of a certificate.

    Attributes:
        certificate: the decision is about it.
        rows: label and text of what is compared, the fingerprint last.
        meaning: what trusting it means.
    """

    certificate: ShownCertificate
    title: str
    question: str
    rows: tuple[tuple[str, str], ...]
    meaning: str


def certificate_view(certificate: ShownCertificate) -> CertificateView:
    """Return the sheet of a certificate."""
    issuer = _("itself: nobody else vouches for it") if certificate.is_self_signed else certificate.issuer
    return CertificateView(
        certificate,
        title=_("Is this the server you mean?"),
        question=_("Compare the fingerprint with the one its DBA reads out at the server."),
        rows=(
            (_("Address"), certificate.where),
            (_("Made out to"), certificate.subject),
            (_("Issued by"), issuer),
            (_("Valid until"), f"{certificate.valid_until_utc:%Y-%m-%d}"),
            (_("Fingerprint (SHA-256)"), certificate.sha256),
        ),
        meaning=_("The connection is then encrypted, but nobody checks any more who answers; the report says so."),
    )

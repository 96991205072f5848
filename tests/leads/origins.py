"""Files as other programs write them: two people each, with all that the program puts beside them."""

import csv
import io

import openpyxl

# First name, last name, address, phone, company, remark.
JUERGEN = ("Jürgen", "Müller", "juergen.mueller@{}.example", "+49 30 1234567", "Größe & Söhne GmbH", "Ruft an; mag Tee")
ZOE = ("Zoë", "d'Hôtel", "zoe@{}.example", "0170 7654321", 'Crêperie "Élysée"', "-20 % until May, says Zoë")


def people(name):
    """The two people of a file, who have no other one's address, phone or company."""
    number = str(1_000 + len(name) * 37 + sum(map(ord, name)))
    return [
        (first, last, email.format(name), f"{phone}{number}", f"{company} {name}", notes)
        for first, last, email, phone, company, notes in (JUERGEN, ZOE)
    ]


def table(name, header, row, dialect, encoding, **options):
    """The bytes of a CSV file; `row(*person)` has the cells of the header."""
    text = io.StringIO()
    writer = csv.writer(text, dialect, **options)
    writer.writerow(header)
    writer.writerows(row(*person) for person in people(name))
    return text.getvalue().encode(encoding)


def plain(*person):
    return person


def excel(name, header, encoding, delimiter):
    return table(name, header.split(";"), plain, "excel", encoding, delimiter=delimiter)


def quoted(name, header, row, encoding):
    return table(name, header.split(";"), row, "excel", encoding, quoting=csv.QUOTE_ALL)


def workbook(name):
    book = openpyxl.Workbook()
    book.active.append(["Vorname", "Nachname", "E-Mail", "Telefon", "Firma", "Notizen", "Umsatz", "Aktiv"])
    for person in people(name):
        book.active.append([*person, 1234.5, True])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


GERMAN = "Vorname;Nachname;E-Mail;Telefon;Firma;Bemerkung"
HUBSPOT = "Record ID;First Name;Last Name;Email;Phone Number;Company Name;Message;Lead Status;Create Date"
SALESFORCE = "Salutation;First Name;Last Name;Title;Company / Account;Email;Phone;Street;Lead Status;Description"
GOOGLE = (
    "First Name;Middle Name;Last Name;Nickname;Organization Name;Organization Title;Birthday;Notes;Labels;"
    "E-mail 1 - Label;E-mail 1 - Value;E-mail 2 - Label;E-mail 2 - Value;Phone 1 - Label;Phone 1 - Value"
)
OUTLOOK = (
    "Title;First Name;Middle Name;Last Name;Suffix;Company;Department;Job Title;Business Street;Business Phone;"
    "Home Phone;Mobile Phone;E-mail Address;E-mail Type;E-mail Display Name;Notes"
)
FILES = {
    "excel-de": excel("excel-de", GERMAN, "cp1252", ";"),
    "excel-fr": excel("excel-fr", "Prénom;Nom;Adresse e-mail;Téléphone;Société;Commentaires", "cp1252", ";"),
    "excel-en": excel("excel-en", "First Name;Last Name;Email Address;Telephone;Company;Notes", "cp1252", ","),
    "excel-utf8": excel("excel-utf8", GERMAN, "utf-8-sig", ";"),
    "excel-text": excel("excel-text", GERMAN, "utf-16", "\t"),
    "excel-xlsx": workbook("excel-xlsx"),
    "libreoffice": table("libreoffice", GERMAN.split(";"), plain, "unix", "utf-8"),
    "hubspot": quoted("hubspot", HUBSPOT, lambda *one: ("30151", *one, "Open", "2026-01-31 09:30"), "utf-8-sig"),
    "salesforce": quoted(
        "salesforce",
        SALESFORCE,
        lambda first, last, email, phone, company, notes: (
            "Mr.",
            first,
            last,
            "",
            company,
            email,
            phone,
            "Street 1",
            "Open - Not Contacted",
            notes,
        ),
        "iso-8859-1",
    ),
    "google": table(
        "google",
        GOOGLE.split(";"),
        lambda first, last, email, phone, company, notes: (
            first,
            "",
            last,
            "",
            company,
            "",
            "",
            notes,
            "* myContacts",
            "* Work",
            email,
            "",
            "",
            "Mobile",
            phone,
        ),
        "excel",
        "utf-8",
    ),
    "outlook": quoted(
        "outlook",
        OUTLOOK,
        lambda first, last, email, phone, company, notes: (
            "Mr.",
            first,
            "",
            last,
            "",
            company,
            "",
            "",
            "",
            "",
            "",
            phone,
            email,
            "SMTP",
            f"{first} {last}",
            notes,
        ),
        "cp1252",
    ),
}

import pytest

from tests.leads.csv_files import imported, send, stored
from tests.leads.test_import_preview import previewed
from tests.support import codes

ALL = "first_name, last_name, email, phone, company, job_title, notes"
ANNA = ("Anna", "Meyer", "anna@x.example", "030 1234", "Acme", "Buyer", "Tea")
CELLS = "Anna;Meyer;anna@x.example;030 1234;Acme;Buyer;Tea"
HEADERS = {
    "en": "First Name;Surname;E-mail Address;Telephone;Organisation;Position;Comments",
    "de": "Vorname;Nachname;E-Mail;Telefon;Firma;Position;Bemerkung",
    "de Outlook": "Vorname;Nachname;E-Mail-Adresse;Telefon geschäftlich;Firma;Position;Notizen",
    "fr": "Prénom;Nom;Courriel;Téléphone;Société;Fonction;Remarques",
    "es": "Nombre;Apellidos;Correo electrónico;Teléfono;Empresa;Cargo;Observaciones",
    "it": "Nome;Cognome;Posta elettronica;Telefono;Azienda;Ruolo;Note",
    "nl": "Voornaam;Achternaam;E-mailadres;Telefoon;Bedrijf;Functie;Opmerkingen",
    "ar": "الاسم الأول;اسم العائلة;البريد الإلكتروني;الهاتف;الشركة;المسمى الوظيفي;ملاحظات",
    "zh": "名;姓;邮箱;电话;公司;职位;备注",
    "ko": "이름;성;이메일;전화번호;회사명;직책;메모",
    "ru": "Имя;Фамилия;Эл. почта;Телефон;Компания;Должность;Комментарий",
    "uk": "Ім'я;Прізвище;Пошта;Номер телефону;Компанія;Посада;Примітка",
    "el": "Όνομα;Επώνυμο;Διεύθυνση email;Κινητό;Εταιρεία;Θέση;Σημειώσεις",
    "he": "שם פרטי;שם משפחה;דואר אלקטרוני;טלפון נייד;חברה;תפקיד;הערות",
    "cs": "Jméno;Příjmení;E-mailová adresa;Telefonní číslo;Společnost;Pozice;Poznámka",
    "HubSpot": "First Name;Last Name;Email;Phone Number;Company Name;Job Title;Message",
    "Salesforce": "First Name;Last Name;Email;Phone;Company / Account;Title;Description",
    "Pipedrive": "First name;Last name;Email - Work;Phone - Work;Organization;Job title;Lead - Notes",
    "Google Contacts": "First Name;Last Name;E-mail 1 - Value;Phone 1 - Value;Organization Name;Title;Notes",
    "Outlook": "First Name;Last Name;E-mail Address;Business Phone;Company;Job Title;Notes",
    "LinkedIn": "First Name;Last Name;Email Address;Phone Number;Company;Position;Comments",
    "Facebook": "first_name;last_name;work_email;phone_number;company_name;job_title;message",
    "stars": "First Name*;Last Name*;E-mail (work);Phone (work);Company*;Job-Title;Note(s)",
    "shouted": "FIRST NAME;LAST NAME;EMAIL ADDRESS;TEL. NO.;COMPANY;JOB TITLE;REMARKS",
    "no accents": "Prenom;Nom;Adresse e-mail;Telephone;Societe;Intitule du poste;Commentaires",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_the_headers_of_languages_and_programs_are_known(organization, member, header):
    report = imported(member, f"{header}\n{CELLS}\n")
    assert (report["ignored_columns"], report["warnings"]) == ([], [])
    assert stored(organization, ALL) == [ANNA]


# {field: headers that people and programs write, one after the other with |}
FURTHER = {
    "first_name": "Prénom(s)|Contact: First Name|Given name (first name)|Ansprechpartner Vorname|Vorname (Kontakt)"
    "|Nombre(s)|Voornamen|firstName|FNAME|First_Name__c|Primer Nombre|الإسم الأول",
    "last_name": "LastName|LNAME|Nachnahme|Name (Nachname)|Nachname Ansprechpartner|Familien-Name|Nom(s)|1er apellido"
    "|Apellido paterno|Achter naam|Tussenvoegsel en achternaam|Cognome/i|Contact: Last Name|اسم العائله",
    "name": "Vorname/Nachname|First Name / Last Name|Customer Name|Contact (Full Name)",
    "email": "E-Mail 1|Email Address 1|eMail|E_Mail|Lead: Email|Adresse mail pro|Adresse e-mail professionnelle"
    "|Correo-e|E-mail aziendale|E-mail werk|Email (Primary)|Primary Email Address|E-Mail dienstlich|ايميل|E-mails",
    "phone": "Tel. mobil|Tel.|Telefon 1|Telefon (mobil)|Telefonnr.|N° de tél.|Tfno.|Tlf.|Móvil 1|Cellulare 1"
    "|Telefoonnr.|Mobile #|Phone 1|Phone (Primary)|Contact: Phone|جوال|Direct Dial|Tél. bureau|Téléphone professionnel",
    "company": "Firma/Kunde|Firma / Organisation|Company/Organization|Company (Current)|Kundenname|Nom entreprise"
    "|Empresa/Organización|Azienda/Ente|Bedrijf/Organisatie|Company: Name|Account: Account Name|شركة|Name der Firma",
    "job_title": "Job title / role|JobTitle|Titel/Funktion|Stelle|Function|Poste occupé|Puesto/Cargo|Funzione"
    "|Functie/rol|Contact: Title|Current Position|المسمى",
    "notes": "Notes / Comments|Bemerkungen/Notizen|Notiz(en)|Zusatzinfo|Freitext|Remarques / commentaires"
    "|Notas/Observaciones|Note/Osservazioni|Additional Notes|Lead Notes|Internal Notes|ملاحظه",
    None: "E-mail 1 - Label|Phone 1 - Type|Email Opt Out|Email Status|Contact ID|Customer Number|Company Size"
    "|Company Address|Parent Account|Job ID|Business Street|Home City|Mailing City|Fax|Home Fax|Middle Name|Nickname"
    "|Suffix|Last Contacted|Last Activity|First Seen|Manager's Name|Assistant's Phone|Street/City|Other|Primary"
    "|Notes / Phone|Contact: Birthday|/|:",
}


@pytest.mark.parametrize("field", FURTHER)
def test_a_header_is_known_with_remarks_qualifiers_and_alternatives(member, field):
    header = FURTHER[field].replace("|", "\t")
    columns = previewed(member, f"Email\tX{'X' * len(header)}\t{header}\na@x.example\n")["columns"][2:]
    assert {column["header"]: column["field"] for column in columns} == dict.fromkeys(FURTHER[field].split("|"), field)


@pytest.mark.parametrize(
    ("header", "cells", "columns", "expected"),
    [
        ("Title,Job Title,Name", "Mr.,Buyer,Anna", "job_title", "Buyer"),
        ("Title,Name", "Frau,Anna", "job_title", None),
        ("Title,Name", "CEO,Anna", "job_title", "CEO"),
        ("Name,Phone,Mobile Phone", "Anna,,0171 1234", "phone", "0171 1234"),
        ("Name,Mobile Phone,Phone", "Anna,0171 1234,030 1234", "phone", "030 1234"),
        ("Name,E-mail 1 - Value,E-mail 2 - Value", "Anna,,b@x.example", "email", "b@x.example"),
        ("Name,Work Email,Email", "Anna,a@x.example,b@x.example", "email", "b@x.example"),
        ("Name,Vorname", "Meyer,Anna", "first_name || last_name", "AnnaMeyer"),
        ("Nom,Prénom", "Meyer,Anna", "first_name || last_name", "AnnaMeyer"),
        ("Nombre,Apellidos", "Anna,Meyer Ruiz", "first_name || last_name", "AnnaMeyer Ruiz"),
        ("Name,Given Name,Family Name", "Anna M.,,", "first_name || last_name", "AnnaM."),
        ("Nachname,E-Mail", "Meyer,", "first_name", "Meyer"),
        ("Firma,Telefon", "Acme,030 1234", "first_name || company", "AcmeAcme"),
        ("Email", "anna.meyer@x.example", "first_name", "anna.meyer"),
        ("Name,Lead Status", "Anna,Closed - Converted", "status", "qualified"),
        ("Name,Status", "Anna,Neu", "status", "new"),
    ],
)
def test_the_first_filled_of_several_columns_counts_exact_names_first(
    organization, member, header, cells, columns, expected
):
    imported(member, f"{header}\n{cells}\n")
    assert stored(organization, columns) == [(expected,)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ('"Müller, Jürgen"', ("Jürgen", "Müller")),
        ('"de la Croix, Marie-Anne"', ("Marie-Anne", "de la Croix")),
        ("Mary Ann Smith", ("Mary Ann", "Smith")),
        ("Cher", ("Cher", None)),
        ('"John Smith, Jr."', ("John Smith,", "Jr.")),
        ('"Müller,"', ("Müller,", None)),
    ],
)
def test_a_full_name_is_split_in_both_orders(organization, member, name, expected):
    imported(member, f"Full Name\n{name}\n")
    assert stored(organization, "first_name, last_name") == [expected]


def test_a_filled_column_that_nobody_reads_is_a_warning_with_its_count(member):
    report = imported(
        member, "Name,Shoe size,Empty,Phone,Mobile\nAnna,43,,030 1234,0171 1\nEva,,,030 9999,\nBo,40,,,0171 5\n"
    )
    assert report["ignored_columns"] == ["Shoe size", "Empty"]
    warned = [(warning["code"], warning["column"], warning["count"]) for warning in report["warnings"]]
    assert warned == [("unread_column", "Shoe size", 2), ("unread_column", "Mobile", 1)]


def test_the_second_of_two_columns_with_ids_or_times_is_a_warning_with_its_count(member):
    header = "id,Name,id,created_at,created_at,updated_at,updated_at"
    report = imported(member, f"{header}\n,Anna,7,,2026-01-31T09:30:00Z,,x\n,Bo,8,,,,\n")
    warned = [(warning["code"], warning["column"], warning["count"]) for warning in report["warnings"]]
    assert warned == [
        ("unread_column", name, count) for name, count in (("id", 2), ("created_at", 1), ("updated_at", 1))
    ]


def test_a_mapping_names_the_fields_of_columns(organization, member):
    mapping = '{"Kundenfirma": "company", "Rufname": "first_name", "Firma": null}'
    report = imported(member, "Rufname,Kundenfirma,Firma\nAnna,Acme,Ours\n", f"?mapping={mapping}")
    assert stored(organization, "first_name, company") == [("Anna", "Acme")]
    assert report["ignored_columns"] == ["Firma"]


@pytest.mark.parametrize(
    ("mapping", "violation"),
    [
        ("{", ("mapping", "wrong_type")),
        ("[]", ("mapping", "wrong_type")),
        ('{"Name": "shoe"}', ("mapping", "invalid_choice")),
        ('{"Shoe": "company"}', ("mapping.Shoe", "unknown_key")),
        ('{"\\ud800": "company"}', ("mapping.\ufffd", "unknown_key")),
        ("[" * 2_000, ("mapping", "wrong_type")),
    ],
)
def test_a_wrong_mapping_is_refused(member, mapping, violation):
    assert codes(send(member, "Name\nAnna\n", f"?mapping={mapping}", status=422)) == [violation]


def test_a_file_without_first_names_changes_those_of_no_lead(organization, member):
    member.post("/api/leads", {"first_name": "Anna", "email": "anna@x.example"}, status=201)
    imported(member, "email,phone\nanna@x.example,030 1234\n", "?on_duplicate=update")
    assert stored(organization, "first_name, phone") == [("Anna", "030 1234")]

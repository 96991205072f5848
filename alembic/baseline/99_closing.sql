-- Ends the set-up: from here on only pipeline_owner may create objects.

set local role pipeline_owner;
revoke create on schema app from pipeline_lookup;
set local role none;

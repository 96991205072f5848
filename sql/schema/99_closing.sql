-- The end of the set-up: from here on only pipeline_owner may create anything.

set local role pipeline_owner;
revoke create on schema app from pipeline_lookup;
set local role none;

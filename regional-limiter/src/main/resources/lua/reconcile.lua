-- Repairs keys that a scan found: one that would stay for ever gets an end, an account that has something to report but is in no
-- set to be reported from is counted. The incarnation itself, and where it began, have no end.
--
-- KEYS   what the scan found
-- ARGV   [1] nothing [2] nothing
-- Reply  how many got an end, and how many accounts are forgotten
-- Why a script: a key may change or go while it is looked at.
local endless, forgotten = 0, 0
for i = 1, #KEYS do
    local key = KEYS[i]
    if key ~= 'incarnation' and key ~= 'incarnation-origin' and call('PTTL', key) == -1 then
        call('PEXPIRE', key, string.format('%.0f', UNREPORTED_GRACE))
        endless = endless + 1
    end
    local tag = string.match(key, '^{s%d+}')
    if tag and #key == #tag + 13 and sub(key, #tag + 8, #tag + 8) == 'u' and call('TYPE', key).ok == 'string' then
        local account = readAccount(call('GET', key))
        if account.unreported > 0 and (account.due == CLEAN or call('ZCARD', tag .. 'd') == 0) then
            forgotten = forgotten + 1
        end
    end
end
return { endless, forgotten }

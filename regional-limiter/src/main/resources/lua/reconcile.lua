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
    if key ~= INCARNATION_KEY and key ~= ORIGIN_KEY and call('PTTL', key) == -1 then
        call('PEXPIRE', key, string.format('%.0f', UNREPORTED_GRACE))
        endless = endless + 1
    end
    local tag = string.match(key, '^{s%d+}')
    local at = tag and #tag + HASH_BYTES + 1
    if tag and #key == at + 5 and sub(key, at, at) == 'u' and call('TYPE', key).ok == 'string' then
        local account = readAccount(call('GET', key))
        if account.unreported > 0 and (account.due == CLEAN or call('ZCARD', tag .. DIRTY_SUFFIX) == 0) then
            forgotten = forgotten + 1
        end
    end
end
return { endless, forgotten }

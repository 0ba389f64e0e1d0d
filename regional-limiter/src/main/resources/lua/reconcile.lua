-- Looks after keys that a scan found: one that would stay for ever gets an end, a book that has something to report but is in no
-- set to be reported from is counted. The life itself, and where it began, have no end.
--
-- KEYS   what the scan found
-- ARGV   [1] nothing [2] nothing
-- Reply  how many got an end, and how many books are forgotten
-- Why a script: a key may change or go while it is looked at.
local endless, forgotten = 0, 0
for i = 1, #KEYS do
    local key = KEYS[i]
    if key ~= 'life' and key ~= 'life-origin' and call('PTTL', key) == -1 then
        call('PEXPIRE', key, string.format('%.0f', UNREPORTED_GRACE))
        endless = endless + 1
    end
    local tag = string.match(key, '^{s%d+}')
    if tag and #key == #tag + 13 and sub(key, #tag + 8, #tag + 8) == 'u' and call('TYPE', key).ok == 'string' then
        local book = readBook(call('GET', key))
        if book.unreported > 0 and (book.due == CLEAN or call('ZCARD', tag .. 'd') == 0) then forgotten = forgotten + 1 end
    end
end
return { endless, forgotten }

-- Books that Kafka has acknowledged: those that have not changed meanwhile are clean, the others are due again. One who was so
-- late that another has taken the book meanwhile says nothing of what that one reports.
--
-- KEYS   the dirty books of shards, {sN}d, one for each member; last the life
-- ARGV   [1] nothing [2] the life, then the members with their claims as collect.lua gave them
-- Reply  nothing
-- Why a script: a book that changed since must stay due.
if not isAlive(call('GET', KEYS[#KEYS])) then return redis.error_reply('LIFE') end
for i = 1, #KEYS - 1 do
    local dirty, member = KEYS[i], sub(ARGV[i + 2], 1, -9)
    local claim = unpack('>I8', ARGV[i + 2], #member + 1)
    local name = sub(dirty, 1, -2) .. sub(member, 1, 7) .. 'u' .. sub(member, 8, 12)
    local raw = call('GET', name)
    if not raw then
        call('ZREM', dirty, member)
    else
        local book = readBook(raw)
        if book.due == CLAIMED and tonumber(call('ZSCORE', dirty, member)) == claim then
            if book.unreported == 0 then
                call('ZREM', dirty, member)
                book.due = CLEAN
                local left = call('PTTL', name) - UNREPORTED_GRACE + GRACE
                call('SET', name, packBook(book), 'PX', string.format('%.0f', left > GRACE and left or GRACE))
            else
                book.due = CLEAN
                mark(dirty, member, book, 0, true)
                call('SET', name, packBook(book), 'KEEPTTL')
            end
        else
            -- What was reported so late may stand in the log after something newer: the newest is to be reported once more.
            book.unreported = book.unreported + 1
            mark(dirty, member, book, 0, true)
            call('SET', name, packBook(book), 'KEEPTTL')
        end
    end
end
return 1

-- Takes books that are due to be reported. They are due again a little later, unless reported.lua says that they were: so what
-- an instance took and did not report before it died, another takes.
--
-- KEYS   the dirty books of shards, {sN}d; last the life
-- ARGV   [1] how many at most, as text [2] the life
-- Reply  the region's time in microseconds (8 bytes) and for each book the number of its key, the member of the set (see
--        book.lua: hash, start, life, policy, key), until when it is claimed in milliseconds (8 bytes), and the book
-- Why a script: a book that changes while it is reported must be reported again.
if not isAlive(call('GET', KEYS[#KEYS])) then return redis.error_reply('LIFE') end
local max = tonumber(args)
local taken = { pack('>I8', now) }
local nowMillis = (now - now % 1000) / 1000
local claim = pack('>I8', nowMillis + CLAIM)
local claimed = string.format('%.0f', nowMillis + CLAIM)
for i = 1, #KEYS - 1 do
    if max <= 0 then break end
    local dirty = KEYS[i]
    local due = call('ZRANGEBYSCORE', dirty, '-inf', string.format('%.0f', nowMillis), 'LIMIT', 0, max)
    if #due < max then
        -- Nothing waits for longer than a claim: what seems to was marked before the clock was set back.
        local ahead = call('ZRANGEBYSCORE', dirty, '(' .. claimed, '+inf', 'LIMIT', 0, max - #due)
        for j = 1, #ahead do due[#due + 1] = ahead[j] end
    end
    max = max - #due
    for j = 1, #due do
        local member = due[j]
        local name = sub(dirty, 1, -2) .. sub(member, 1, 7) .. 'u' .. sub(member, 8, 12)
        local raw = call('GET', name)
        if raw then
            local book = readBook(raw)
            book.due, book.unreported = CLAIMED, 0
            call('SET', name, packBook(book), 'KEEPTTL')
            call('ZADD', dirty, claimed, member)
            taken[#taken + 1] = pack('>I2', i)
            taken[#taken + 1] = member .. claim
            taken[#taken + 1] = raw
        else
            call('ZREM', dirty, member)
        end
    end
    if #due > 0 then call('PEXPIRE', dirty, string.format('%.0f', UNREPORTED_GRACE)) end
end
return taken

-- Accounts that Kafka has acknowledged: those that have not changed meanwhile are clean, the others are due again. One who was so
-- late that another has taken the account meanwhile says nothing of what that one reports.
--
-- KEYS   the dirty accounts of shards, {sN}d, one for each handle; last the incarnation
-- ARGV   [1] nothing [2] the incarnation, then the handles as collect.lua gave them
-- Reply  nothing
-- Why a script: an account that changed since must stay due.
if not isCurrent(call('GET', KEYS[#KEYS])) then return staleIncarnation() end

local function acknowledge(dirty, member, claim)
    local name = accountOf(dirty, member)
    local raw = call('GET', name)
    if not raw then
        call('ZREM', dirty, member)
        return
    end
    local account = readAccount(raw)
    local ours = account.due == CLAIMED and tonumber(call('ZSCORE', dirty, member)) == claim
    if ours and account.unreported == 0 then
        call('ZREM', dirty, member)
        account.due = CLEAN
        local left = call('PTTL', name) - UNREPORTED_GRACE + GRACE
        call('SET', name, packAccount(account), 'PX', string.format('%.0f', left > GRACE and left or GRACE))
        return
    end
    if ours then
        account.due = CLEAN
    else
        -- A late report may follow a newer one in the log, so the newest count is reported once more.
        account.unreported = account.unreported + 1
    end
    mark(dirty, member, account, 0, true)
    call('SET', name, packAccount(account), 'KEEPTTL')
end

for i = 1, #KEYS - 1 do
    local handle = ARGV[i + 2]
    local member = sub(handle, 1, -9)
    acknowledge(KEYS[i], member, (unpack('>I8', handle, #member + 1)))
end
return 1

-- Asks Meridian's limiter about a request (HAProxy 2.6 or later). An answer that is no 2xx becomes the client's; without an
-- answer in time the request passes.
local ADDRESS = "http://127.0.0.1:8001/api/v1/rate-limit/forward-auth"
local TIMEOUT_MS = 300

local VARIABLES = {
    ["x-ratelimit-limit"] = "txn.rl_limit",
    ["x-ratelimit-remaining"] = "txn.rl_remaining",
    ["x-ratelimit-reset"] = "txn.rl_reset",
    ["x-ratelimit-policy"] = "txn.rl_legacy_policy",
    ["ratelimit"] = "txn.rl_fields",
    ["ratelimit-policy"] = "txn.rl_policies",
}

-- Of the connection to the client, or of the body, which is not sent along.
local NOT_FORWARDED = {
    ["host"] = true, ["connection"] = true, ["content-length"] = true, ["transfer-encoding"] = true,
    ["expect"] = true, ["upgrade"] = true, ["te"] = true, ["keep-alive"] = true,
    ["x-forwarded-uri"] = true, ["x-forwarded-method"] = true,
}

-- What the limiter's own verdict consists of; a 5xx of the proxy in between has no such type.
local PROBLEM = "application/problem+json"

core.register_action("meridian", { "http-req" }, function(txn)
    local headers = {}
    for name, values in pairs(txn.http:req_get_headers()) do
        if not NOT_FORWARDED[name] then
            headers[name] = { values[0] }
        end
    end
    headers["x-forwarded-uri"] = { txn.f:pathq() }
    headers["x-forwarded-method"] = { txn.f:method() }
    -- Who is calling, once you authenticate here: headers["x-api-key"] = { consumer }
    -- The limiter's token, where it requires one: headers["x-meridian-token"] = { "..." }

    local answer = core.httpclient():get({ url = ADDRESS, headers = headers, timeout = TIMEOUT_MS })
    if not answer or not answer.status or answer.status == 0 then
        return
    end
    if answer.status >= 200 and answer.status < 300 then
        for name, variable in pairs(VARIABLES) do
            local values = answer.headers[name]
            if values and values[0] then
                txn:set_var(variable, values[0])
            end
        end
        return
    end
    local type = answer.headers["content-type"]
    if not type or type[0] ~= PROBLEM then
        return
    end
    local reply = txn:reply()
    reply:set_status(answer.status)
    for name, values in pairs(answer.headers) do
        if name ~= "content-length" and name ~= "connection" and name ~= "transfer-encoding" then
            reply:add_header(name, values[0])
        end
    end
    reply:set_body(answer.body)
    txn:done(reply)
end)

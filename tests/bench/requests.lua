-- Asks the paths listed in the file $PATHS in turn; with $DISTINCT each query text is new (a comment at its end).
local paths, headers = {}, { Accept = "application/sparql-results+json" }
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local distinct, asked = os.getenv("DISTINCT") == "1", 0
math.randomseed(os.time())
local run = math.random(1000000)

request = function()
  asked = asked + 1
  local path = paths[asked % #paths + 1]
  if distinct then path = path .. "%0A%23" .. run .. "." .. asked end
  return wrk.format("GET", path, headers)
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT {"per_s": %.1f, "p99_ms": %.3f, "failed": %d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end

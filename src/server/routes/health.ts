import type { Log } from '../../base/log.ts'
import { type HealthCheck, Unhealthy } from '../contract.ts'
import type { Exchange, Handler } from '../exchange.ts'
import type { Response } from '../http.ts'
import { pageNotFound, textResponse } from '../responses.ts'
import type { PathRoute } from './paths.ts'

type HealthEndpoint = 'livez' | 'readyz' | 'healthz'

interface Outcome {
  readonly line: string
  readonly isOk: boolean
}

const ping: HealthCheck = { name: 'ping', check: () => {} }

export function healthRoutes(checks: readonly HealthCheck[], log: Log): readonly PathRoute[] {
  const endpoints: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz']
  return endpoints.flatMap((name) => {
    const asked = [ping, ...checks].filter(({ only }) => only === undefined || only.includes(name))
    const handler = healthHandler(name, asked, log)
    return [
      { path: `/${name}`, handler, methods: 'all' },
      { path: `/${name}/`, handler, methods: 'all' },
    ]
  })
}

function healthHandler(name: HealthEndpoint, checks: readonly HealthCheck[], log: Log): Handler {
  return (exchange) => {
    const single = exchange.info.path.slice(name.length + 2)
    if (single === '') return answerAll(name, checks, exchange, log)
    const check = checks.find((each) => each.name === single)
    return check === undefined ? pageNotFound() : answerAll(name, [check], exchange, log)
  }
}

async function answerAll(
  name: string,
  checks: readonly HealthCheck[],
  exchange: Exchange,
  log: Log,
): Promise<Response> {
  const { query } = exchange.info
  const excluded = new Set(query.all('exclude'))
  const outcomes = await Promise.all(checks.map((check) => outcomeOf(check, excluded, log)))
  const lines = outcomes.map(({ line }) => line)
  const unknown = [...excluded].filter((each) => !checks.some((check) => check.name === each))
  if (unknown.length > 0) {
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${unknown.map((each) => JSON.stringify(each)).join(', ')}\n`,
    )
  }
  if (outcomes.some(({ isOk }) => !isOk)) return textResponse(500, `${lines.join('')}${name} check failed\n`)
  return textResponse(200, query.has('verbose') ? `${lines.join('')}${name} check passed\n` : 'ok')
}

async function outcomeOf(
  { name, check, trouble }: HealthCheck,
  excluded: ReadonlySet<string>,
  log: Log,
): Promise<Outcome> {
  if (excluded.has(name)) return { line: `[+]${name} excluded: ok\n`, isOk: true }
  try {
    await check()
    const problem = trouble?.()
    return { line: problem === undefined ? `[+]${name} ok\n` : `[!]${name} trouble: ${problem}\n`, isOk: true }
  } catch (error) {
    log.warn('health check failed', { check: name, error })
    const reason = error instanceof Unhealthy ? error.message : 'reason withheld'
    return { line: `[-]${name} failed: ${reason}\n`, isOk: false }
  }
}

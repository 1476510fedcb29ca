import type { Log } from '../../base/log.ts'
import { type HealthCheck, Unhealthy } from '../contract.ts'
import type { Exchange, Handler } from '../exchange.ts'
import type { Response } from '../http.ts'
import { pageNotFound, textResponse } from '../responses/responses.ts'
import type { PathRoute } from './paths.ts'

type HealthEndpoint = 'livez' | 'readyz' | 'healthz'

interface Outcome {
  readonly line: string
  readonly isOk: boolean
}

const always: readonly HealthCheck[] = ['ping', 'log'].map((name) => ({ name, check: () => {} }))

export function healthRoutes(checks: readonly HealthCheck[], log: Log): readonly PathRoute[] {
  const endpoints: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz']
  return endpoints.flatMap((name) => {
    const handler = healthHandler(name, [...always, ...checks], log)
    return [
      { path: `/${name}`, handler, methods: 'all' },
      { path: `/${name}/`, handler, methods: 'all' },
    ]
  })
}

function healthHandler(name: HealthEndpoint, checks: readonly HealthCheck[], log: Log): Handler {
  const asked = checks.filter(({ only }) => only === undefined || only.includes(name))
  const byName = new Map(
    checks.filter((each) => each.alone === 'everywhere' || asked.includes(each)).map((each) => [each.name, each]),
  )
  return (exchange) => {
    const single = exchange.info.path.slice(name.length + 2)
    if (single === '') return answerAll(name, asked, exchange, log)
    const check = byName.get(single)
    return check === undefined ? pageNotFound() : answerOne(check, log)
  }
}

async function answerOne(check: HealthCheck, log: Log): Promise<Response> {
  const reason = await failureOf(check, log)
  return reason === undefined ? textResponse(200, 'ok') : textResponse(500, `internal server error: ${reason}\n`)
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

async function outcomeOf(check: HealthCheck, excluded: ReadonlySet<string>, log: Log): Promise<Outcome> {
  const { name } = check
  if (excluded.has(name)) return { line: `[+]${name} excluded: ok\n`, isOk: true }
  const reason = await failureOf(check, log)
  if (reason !== undefined) return { line: `[-]${name} failed: ${reason}\n`, isOk: false }
  const problem = check.trouble?.()
  return { line: problem === undefined ? `[+]${name} ok\n` : `[!]${name} trouble: ${problem}\n`, isOk: true }
}

async function failureOf({ name, check }: HealthCheck, log: Log): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    log.warn('health check failed', { check: name, error })
    return error instanceof Unhealthy ? error.message : 'reason withheld'
  }
}

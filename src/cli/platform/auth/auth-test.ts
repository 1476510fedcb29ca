import { isJsonObject } from '../../../base/json/member.ts'
import { visible } from '../../../base/unseen.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { print } from '../../output/print.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform, type SessionFlags } from '../session.ts'

export interface AuthTestOptions extends SessionFlags {
  readonly name: string
}

export function authTest({ name, ...flags }: AuthTestOptions, terminal: Terminal): Promise<void> {
  return onPlatform(flags, terminal, async ({ client, path, apiVersion }) => {
    const body = { apiVersion, kind: 'ConnectorTest' }
    const answer = await client.ask({
      method: 'POST',
      path: `${path}/connectors/${encodeURIComponent(name)}/test`,
      body,
    })
    const { works, steps, problem } = triedIn(answer)
    for (const step of steps) print(terminal, `ok       ${visible(step)}\n`)
    if (works) return void print(terminal, `ok       ${visible(name)} works, as far as can be told without a user\n`)
    throw new Error(`${visible(name)} does not work: ${visible(problem)}`)
  })
}

function triedIn({ status }: JsonBody) {
  const { works, steps, problem } = isJsonObject(status) ? status : {}
  return {
    works: works === true,
    steps: Array.isArray(steps) ? steps.map(String) : [],
    problem: typeof problem === 'string' ? problem : 'the platform does not say why',
  }
}

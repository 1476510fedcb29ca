import { asMembers } from '../../../base/json/lenient.ts'
import { systemRandom } from '../../../base/random.ts'
import { visible } from '../../../base/unseen.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { print } from '../../output/print.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { codeByBrowser } from '../login/browser-login.ts'
import { onPlatform, type SessionFlags } from '../session.ts'

export interface AuthTestOptions extends SessionFlags {
  readonly name: string
  /** Lets a user sign in, to see the result. */
  readonly signIn?: boolean
}

export function authTest({ name, signIn = false, ...flags }: AuthTestOptions, terminal: Terminal): Promise<void> {
  return onPlatform(flags, terminal, async ({ client, path, apiVersion, platform }) => {
    const tried = async (spec: object) => {
      const body = { apiVersion, kind: 'ConnectorTest', spec }
      const answer = await client.ask({
        method: 'POST',
        path: `${path}/connectors/${encodeURIComponent(name)}/test`,
        body,
      })
      const { works, steps, warnings, problem } = triedIn(answer)
      for (const step of steps) print(terminal, `ok       ${visible(step)}\n`)
      for (const warning of warnings) print(terminal, `warning  ${visible(warning)}\n`)
      if (!works) throw new Error(`${visible(name)} does not work: ${visible(problem)}`)
    }
    await tried({})
    if (!signIn) {
      print(terminal, `ok       ${visible(name)} works, as far as can be told without a user: see --sign-in\n`)
      return
    }
    const query = { connector: name, test: '1' }
    await tried(await codeByBrowser({ url: new URL(platform.url), random: systemRandom, query }, terminal))
    print(terminal, `ok       ${visible(name)} works\n`)
  })
}

function triedIn({ status }: JsonBody) {
  const { works, steps, warnings, problem } = asMembers(status)
  return {
    works: works === true,
    steps: Array.isArray(steps) ? steps.map(String) : [],
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
    problem: typeof problem === 'string' ? problem : 'the platform does not say why',
  }
}

import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import { visible } from '../../../base/unseen.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { say } from '../../output/messages.ts'
import { printData } from '../../output/print-object.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import { keyPath } from './key-path.ts'
import type { AdviseOptions } from './options.ts'

export function advise(options: AdviseOptions, terminal: Terminal): Promise<void> {
  const { name, output } = options
  return onPlatform(options, terminal, async (session) => {
    const answer = await session.client.ask({
      method: 'POST',
      path: `${keyPath(session, name)}/advise`,
      body: { apiVersion: session.apiVersion, kind: 'AccessKeyAdvice' },
    })
    const status = asMembers(answer.status)
    if (output !== 'patch') return printData(terminal, output, answer)
    const key = await session.client.ask({ path: keyPath(session, name) })
    printData(terminal, 'yaml', { spec: { scope: { ...removedFrom(key), ...asMembers(status.scope) } } })
    for (const note of notesOn(status)) say(terminal, visible(note))
  })
}

/** A patch keeps what it does not name: existing entries of the key must be removed explicitly. */
function removedFrom({ spec }: JsonBody): JsonBody {
  return Object.fromEntries(Object.keys(asMembers(asMembers(spec).scope)).map((entries) => [entries, null]))
}

function notesOn(status: JsonBody): readonly string[] {
  const { uses, usesSince, usesComplete, usesDelaySeconds } = status
  const uncovered = asObjects(status.uncovered)
  return [
    madeFrom(uses, usesSince),
    ...(usesComplete === false ? ['some were folded into one (*), so that the scope is wider than it had to be'] : []),
    ...(Number(usesDelaySeconds) > 0
      ? [`what other replicas of the platform did in the last ${usesDelaySeconds} s may be missing`]
      : []),
    ...uncovered.map(({ verb, resource, path }) => `no scope lets through: ${verb} ${resource || path}`),
  ]
}

function madeFrom(uses: unknown, since: unknown): string {
  if (uses === 0) return `the key was not used since ${since}: use it first, so that the proposal covers what it needs`
  return `made from ${uses === 1 ? '1 use' : `${uses} different uses`} since ${since}`
}

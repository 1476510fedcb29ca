import type { RequestTarget } from '../../../api/access.ts'
import { parseApiVersion } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { print } from '../../output/print.ts'
import { printData } from '../../output/print-object.ts'
import { textTable } from '../../output/text-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform, type Session } from '../session.ts'
import { keyPath } from './key-path.ts'
import type { AskedResource, ExplainOptions } from './options.ts'

export function explainKey(options: ExplainOptions, terminal: Terminal): Promise<void> {
  const { keyName, output } = options
  return onPlatform(options, terminal, async (session) => {
    const answer = await session.client.ask({
      method: 'POST',
      path: `${keyPath(session, keyName)}/explain`,
      body: { apiVersion: session.apiVersion, kind: 'AccessKeyExplanation', spec: await specOf(options, session) },
    })
    const status = asMembers(answer.status)
    if (output === 'json' || output === 'yaml') printData(terminal, output, answer)
    else if (output === 'name') print(terminal, `${status.allowed === true ? 'allowed' : 'refused'}\n`)
    else print(terminal, explanationText(status))
  })
}

async function specOf({ asked, verb, target }: ExplainOptions, session: Session): Promise<JsonBody> {
  const place = target.kind === 'management' ? {} : { target: fieldsOf(target) }
  if ('path' in asked) return { nonResourceAttributes: { path: asked.path, verb }, ...place }
  const group = asked.group || (target.kind === 'management' ? await groupOf(asked, session) : '')
  return { resourceAttributes: { ...asked, group, verb }, ...place }
}

function fieldsOf({ kind: _, ...fields }: RequestTarget): JsonBody {
  return fields
}

/** Fills in the group of the platform's own resources, so that users can omit it. */
async function groupOf({ resource }: AskedResource, { client, path, apiVersion }: Session): Promise<string> {
  const { resources } = await client.ask({ path })
  const isOwn = asObjects(resources).some(({ name }) => name === resource)
  return isOwn ? parseApiVersion(apiVersion).group : ''
}

/** The verdict, the finding of each layer, and what would have to change. */
function explanationText({ allowed, refusedBy, findings }: JsonBody): string {
  const verdict = allowed === true ? 'allowed' : `refused by ${String(refusedBy)}`
  const rows = asObjects(findings).flatMap(({ layer, allows, sentence, change }) => [
    [String(layer), allows === true ? 'yes' : 'no', String(sentence)],
    ...(isJsonObject(change) ? [['', '', `→ ${String(change.sentence)}`]] : []),
  ])
  return `${verdict}\n\n${textTable([['LAYER', 'ALLOWS', 'WHY'], ...rows])}`
}

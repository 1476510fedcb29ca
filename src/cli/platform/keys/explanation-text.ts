import { isJsonObject } from '../../../base/json/member.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { textTable } from '../../output/text-table.ts'
import { objectsIn } from '../pages.ts'

/** The verdict, what each layer says, and what would have to change. */
export function explanationText({ allowed, refusedBy, findings }: JsonBody): string {
  const verdict = allowed === true ? 'allowed' : `refused by ${String(refusedBy)}`
  const rows = objectsIn(findings).flatMap(({ layer, allows, sentence, change }) => [
    [String(layer), allows === true ? 'yes' : 'no', String(sentence)],
    ...(isJsonObject(change) ? [['', '', `→ ${String(change.sentence)}`]] : []),
  ])
  return `${verdict}\n\n${textTable([['LAYER', 'ALLOWS', 'WHY'], ...rows])}`
}

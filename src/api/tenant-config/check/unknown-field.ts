import type { YamlMember } from '../../../base/yaml-source/node.ts'
import { nearestName } from '../did-you-mean.ts'
import type { ConfigField, ObjectField } from '../field.ts'
import { documentField } from '../fields.ts'
import type { ConfigFinding, ConfigPath } from '../problem.ts'
import { either, printConfigPath, shown } from '../wording.ts'

export function unknownField(field: ObjectField, { key, keySpan }: YamlMember, path: ConfigPath): ConfigFinding {
  const where = path.length === 0 ? '' : ` in ${printConfigPath(path)}`
  return {
    code: 'unknown-field',
    path: [...path, key],
    span: keySpan,
    message: `unknown field ${shown(key)}${where}`,
    suggestion: suggestionFor(key, Object.keys(field.members)),
  }
}

function suggestionFor(key: string, siblings: readonly string[]): string {
  const near = nearestName(key, siblings)
  if (near !== undefined) return `did you mean ${shown(near)}?`
  const elsewhere = placesOf(key)
  if (elsewhere.length > 0) return `its place is ${either(elsewhere)}`
  return siblings.length === 0 ? 'nothing can be set here; write {}' : `known here: ${siblings.join(', ')}`
}

/** Where in the document a field of this name belongs. Empty if there are too many places to be helpful. */
function placesOf(name: string): readonly string[] {
  const places = placesUnder(documentField, name, '')
  return places.length <= 3 ? places : []
}

function placesUnder(field: ConfigField, name: string, prefix: string): readonly string[] {
  if (field.type !== 'object') return []
  return Object.entries(field.members).flatMap(([key, member]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    return [...(key === name ? [path] : []), ...placesUnder(member, name, path)]
  })
}

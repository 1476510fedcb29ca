import { setMember } from '../json/member.ts'
import type { YamlMap, YamlValue } from './node.ts'

/** The values without their positions. Of repeated keys the last one counts. */
export function yamlToJson(value: YamlValue): unknown {
  if (value.type === 'scalar') return value.value
  return value.type === 'list' ? value.items.map(yamlToJson) : mapToJson(value)
}

export function mapToJson({ members }: YamlMap): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const { key, value } of members) setMember(object, key, yamlToJson(value))
  return object
}

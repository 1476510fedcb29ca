import type { YamlList, YamlMap, YamlScalar, YamlValue } from '../../../base/yaml-source/node.ts'
import type { ConfigField, ListField, MapField, ObjectField, TextField } from '../field.ts'
import type { ConfigFinding, ConfigPath, ConfigPlace, ReportFinding } from '../problem.ts'
import { fitsFormat } from '../text-format.ts'
import { placeName, shown } from '../wording.ts'
import { checkDistinct, checkRepeated, checkRules, firstKeySpan } from './rules.ts'
import { unknownField } from './unknown-field.ts'
import { wrongType } from './wrong-type.ts'

/** Checks that only need the value and its field. */
export function checkValue(field: ConfigField, value: YamlValue, place: ConfigPlace, report: ReportFinding): void {
  if (field.type === 'object' && value.type === 'map') checkObject(field, value, place, report)
  else if (field.type === 'map' && value.type === 'map') checkMap(field, value, place, report)
  else if (field.type === 'list' && value.type === 'list') checkList(field, value, place, report)
  else if (value.type !== 'scalar' || !checkScalar(field, value, place, report)) {
    report(wrongType(field, value, place))
  }
}

/** Whether the value has the right type. */
function checkScalar(field: ConfigField, scalar: YamlScalar, { path }: ConfigPlace, report: ReportFinding): boolean {
  const { value } = scalar
  if (field.type === 'boolean') return typeof value === 'boolean'
  if (field.type === 'integer') {
    return Number.isInteger(value) && Number(value) >= field.minimum && Number(value) <= field.maximum
  }
  if (field.type !== 'text' || typeof value !== 'string') return false
  if (!fitsFormat(value, field.format)) report(badText(field, scalar, path))
  return true
}

function badText({ format, default: initial }: TextField, scalar: YamlScalar, path: ConfigPath): ConfigFinding {
  const empty = scalar.value === ''
  const remedy =
    initial === undefined ? `give it a value such as ${format.example}` : `remove the line to get ${initial}`
  return {
    code: 'bad-value',
    path,
    span: scalar.span,
    message: empty ? `${placeName(path)} is empty` : `${placeName(path)} must be ${format.expectation}`,
    suggestion: empty ? remedy : `an example is ${format.example}`,
  }
}

function checkObject(field: ObjectField, map: YamlMap, place: ConfigPlace, report: ReportFinding): void {
  checkRepeated(map, place.path, report)
  for (const member of map.members) {
    const path = [...place.path, member.key]
    const known = Object.hasOwn(field.members, member.key) ? field.members[member.key] : undefined
    if (known === undefined) report(unknownField(field, member, place.path))
    else checkValue(known, member.value, { path, keySpan: member.keySpan }, report)
  }
  checkRequired(field, map, place, report)
  checkRules(field, map, place, report)
}

function checkRequired(field: ObjectField, map: YamlMap, { path, keySpan }: ConfigPlace, report: ReportFinding): void {
  const present = new Set(map.members.map(({ key }) => key))
  for (const [name, member] of Object.entries(field.members)) {
    if (member.presence !== 'required' || present.has(name)) continue
    const message = `${placeName(path)} needs ${name}`
    report({ code: 'missing-field', path, span: firstKeySpan(map, keySpan), message })
  }
}

function checkMap(field: MapField, map: YamlMap, place: ConfigPlace, report: ReportFinding): void {
  checkRepeated(map, place.path, report)
  for (const { key, keySpan, value } of map.members) {
    const path = [...place.path, key]
    if (!fitsFormat(key, field.keys)) {
      const what = key === '' ? 'an empty name' : shown(key)
      const message = `${placeName(place.path)} has ${what}, where it takes ${field.keys.expectation}`
      report({ code: 'bad-value', path, span: keySpan, message, suggestion: `an example is ${field.keys.example}` })
    }
    checkValue(field.values, value, { path, keySpan }, report)
  }
}

function checkList(field: ListField, list: YamlList, place: ConfigPlace, report: ReportFinding): void {
  for (const [index, item] of list.items.entries()) {
    checkValue(field.items, item, { path: [...place.path, index], keySpan: item.span }, report)
  }
  if (field.distinct !== undefined) checkDistinct(list, field.distinct, place.path, report)
}

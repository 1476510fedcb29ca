import { isJsonObject } from './member.ts'

const mostShown = 1000

/** A value as Go prints it after reading it from YAML. */
export function goYamlValue(value: unknown): string {
  return printed(value).slice(0, mostShown)
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(printed).join(', ')}}`
  if (!isJsonObject(value)) return String(value)
  const members = Object.keys(value).sort()
  return `map[interface {}]interface {}{${members.map((name) => `${JSON.stringify(name)}:${printed(value[name])}`).join(', ')}}`
}

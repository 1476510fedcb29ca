import { memberOf, type YamlMember, type YamlValue } from '../../base/yaml-source/node.ts'
import type { ConfigPath } from './problem.ts'

/** The value at a path; undefined if the path does not exist. */
export function yamlValueAt(root: YamlValue | undefined, path: ConfigPath): YamlValue | undefined {
  let value = root
  for (const step of path) value = value === undefined ? undefined : childOf(value, step)
  return value
}

/** The member at a path, with its key. */
export function yamlMemberAt(root: YamlValue | undefined, path: ConfigPath): YamlMember | undefined {
  const parent = yamlValueAt(root, path.slice(0, -1))
  return parent?.type === 'map' ? memberOf(parent, String(path.at(-1))) : undefined
}

/** Whether a boolean is true; anything but a boolean counts as absent. */
export function isOn(root: YamlValue | undefined, path: ConfigPath, initial: boolean): boolean {
  const value = yamlValueAt(root, path)
  return value?.type === 'scalar' && typeof value.value === 'boolean' ? value.value : initial
}

function childOf(value: YamlValue, step: string | number): YamlValue | undefined {
  if (value.type === 'list') return typeof step === 'number' ? value.items[step] : undefined
  return value.type === 'map' ? memberOf(value, String(step))?.value : undefined
}

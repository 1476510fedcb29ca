const mostPaths = 300
const deepest = 12

/** The paths of an object that a patch could name, with `[*]` for the items of lists. */
export function pathsIn(value: unknown): readonly string[] {
  const paths = new Set<string>()
  collect(value, '', 0, paths)
  return [...paths]
}

function collect(value: unknown, path: string, depth: number, paths: Set<string>): void {
  if (paths.size >= mostPaths || depth > deepest || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 20)) collectMember(item, `${path}[*]`, depth, paths)
    return
  }
  for (const [name, member] of Object.entries(value)) collectMember(member, joined(path, name), depth, paths)
}

function collectMember(member: unknown, path: string, depth: number, paths: Set<string>): void {
  if (path !== 'apiVersion' && path !== 'kind' && path !== 'metadata.name' && path !== 'metadata.namespace')
    paths.add(path)
  collect(member, path, depth + 1, paths)
}

function joined(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

import { ApiProblem } from './problem.ts'

/** Names of objects, groups, versions and resources. Whatever its source, nothing else gets into a path. */
const name = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,251}[A-Za-z0-9])?$/

/**
 * The only way to build an API path: every part is a name, and none is `.` or `..`, which a browser would resolve to
 * another path.
 */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${nameIn(part)}`).join('')
}

function nameIn(part: string): string {
  if (name.test(part) && !part.includes('..')) return encodeURIComponent(part)
  throw new ApiProblem(400, `${JSON.stringify(part.slice(0, 100))} is not a valid name.`)
}

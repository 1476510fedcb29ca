import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded when the first expression is compiled, and without waiting: most tenants have none. */
export function loadParser(): typeof import('acorn') {
  return require('acorn')
}

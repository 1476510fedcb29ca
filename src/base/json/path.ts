export type PathElement = string | number

/** `spec.ports[0].name`: names joined by dots, positions in brackets. */
export function printPath(path: readonly PathElement[]): string {
  let text = ''
  for (const element of path) {
    if (typeof element === 'number') text = extendedPath(text, `[${element}]`)
    else text = extendedPath(text, text === '' ? element : `.${element}`)
  }
  return text
}

/** Names come from clients, may be megabytes long, and are repeated with every error below them. */
const longestStep = 400
const longestPath = 4_000
const cut = '…'

/** The text of a path with one more step. Long text is cut off. */
export function extendedPath(path: string, step: string): string {
  if (path.length > longestPath) return path.endsWith(cut) ? path : path + cut
  return path + (step.length <= longestStep ? step : step.slice(0, longestStep) + cut)
}

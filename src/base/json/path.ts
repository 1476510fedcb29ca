export type PathElement = string | number

/** `spec.ports[0].name`: names joined by dots, positions in brackets. */
export function printPath(path: readonly PathElement[]): string {
  return path.reduce(printedStep, '')
}

/**
 * Prints paths one after the other, and of each only the steps by which it differs from the one before: the members of
 * a text may all be at the bottom of a deep tree.
 */
export function pathPrinter(): (path: readonly PathElement[]) => string {
  const steps: PathElement[] = []
  /** The text of the path after each of the steps. */
  const texts: string[] = []
  return (path) => {
    let same = 0
    while (same < steps.length && same < path.length && steps[same] === path[same]) same++
    steps.length = same
    texts.length = same
    for (const element of path.slice(same)) {
      steps.push(element)
      texts.push(printedStep(texts.at(-1) ?? '', element))
    }
    return texts.at(-1) ?? ''
  }
}

function printedStep(text: string, element: PathElement): string {
  if (typeof element === 'number') return extendedPath(text, `[${element}]`)
  return extendedPath(text, text === '' ? element : `.${element}`)
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

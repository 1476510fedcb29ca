export type PathElement = string | number

/** `spec.ports[0].name`: names joined by dots, positions in brackets. */
export function printPath(path: readonly PathElement[]): string {
  let text = ''
  for (const element of path) {
    if (typeof element === 'number') text += `[${element}]`
    else text += text === '' ? element : `.${element}`
  }
  return text
}

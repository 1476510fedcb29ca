/** `"a", "b"` */
export function quotedList(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ')
}

/** `container "a"` or `containers "a", "b"` */
export function containersNamed(names: readonly string[]): string {
  return `${plural('container', names)} ${quotedList(names)}`
}

export function plural(word: string, values: readonly unknown[]): string {
  return values.length === 1 ? word : `${word}s`
}

/** Who set something: the pod, some of its containers, or both. */
export function setters(isPod: boolean, containers: readonly string[], joint = ' and '): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length === 0 ? [] : [containersNamed(containers)])].join(joint)
}

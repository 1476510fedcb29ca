/** Members that are not there at all when they are undefined. */
type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The members that have a value: a flag that was not given leaves no trace. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}

/** A number of a status. Kubernetes leaves out what is zero. */
export function counted<Name extends string>(name: Name, count: number): { readonly [member in Name]?: number } {
  return (count === 0 ? {} : { [name]: count }) as { readonly [member in Name]?: number }
}

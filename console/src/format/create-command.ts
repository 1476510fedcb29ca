const usualProject = 'default'

/** The command that creates a virtual cluster, in a project that the user may see: not every user sees the usual one. */
export function createCommand(projects: readonly { readonly metadata: { readonly name?: string } }[]): string {
  const names = projects.flatMap(({ metadata }) => metadata.name ?? [])
  const [first = usualProject] = names
  return `tenant create my-cluster --project ${names.includes(usualProject) ? usualProject : first}`
}

/** The same for a user who is not logged in yet. */
export function createCommands(...[projects]: Parameters<typeof createCommand>): string {
  return `tenant platform login ${window.location.origin}\n${createCommand(projects)}`
}

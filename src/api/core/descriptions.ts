/** What `kubectl explain` says about `package.Message` or `package.Message.member`. */
export function description(path: string): string | undefined {
  return texts.get(path)
}

const texts: ReadonlyMap<string, string> = new Map<string, string>([])

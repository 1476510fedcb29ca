/** Something that keeps part of the cluster in order. It looks at the state, not at events, so acting twice is harmless. */
export interface Controller {
  stop(): Promise<void>
}

/** Where controllers report what they could not do. It will be tried again. */
export type ReportError = (controller: string, subject: string, error: unknown) => void

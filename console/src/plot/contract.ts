export interface PlotSeries {
  readonly label: string
  readonly color: 'accent' | 'bad' | 'good' | 'warn'
  readonly values: readonly number[]
}

export interface PlotProps {
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
  /** At least so much time is shown. */
  readonly spanSeconds?: number
}

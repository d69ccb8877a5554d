/** How this process is doing: told by those who do the work, asked by `/readyz`. Times are epoch milliseconds. */
export class Health {
  /** When the job queue was last seen to answer or a job to run here; null: this process runs no jobs. */
  jobsSeenAt: number | null = null
  /** Since when the mail server takes nothing; null: it does, as far as anybody has tried. */
  mailFailingSince: number | null = null
  /** When the database last said that its disk is full; null: never. */
  diskFullAt: number | null = null
  /** Told to stop: what is under way is finished, nobody new is sent here. */
  isDraining = false
}

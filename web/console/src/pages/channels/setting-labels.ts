import type { Schemas } from '../../records.ts'
import { texts } from './words.ts'

export type BookingSettings = Omit<Schemas['BookingSettings'], 'exceptions' | 'questions'>
export type SettingName = keyof BookingSettings

/** With labels of their own, such as those of lists. */
export const settingLabels: Record<SettingName, string> = {
  ...texts.labels,
  changeNoticeMinutes: texts.changeNotice,
}

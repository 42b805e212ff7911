import { declarePage, type Notice } from '../../http/pages.js';
import type { Text } from '../../shared/messages/message.js';
import type { CommandView } from '../command/model.js';
import type { BrakeTest } from '../commissioning/brake-test.js';
import type { CommissioningStep, Results } from '../commissioning/commissioning.js';
import type { FirmwareView } from '../firmware/firmware-update.js';
import type { FleetList } from '../fleet/fleet-rows.js';

/** The outcome of a command that was sent with the form of the Drive page. */
export interface CommandOutcome {
  ok: boolean;
  title: Text;
  message: Text;
  hint?: Text;
  command?: CommandView;
}

export interface DrivePage {
  outcome?: CommandOutcome;
  /** The values that were entered in a rejected form. */
  entered?: Record<string, unknown> | undefined;
}

export const drivePage = declarePage<DrivePage>('Drive');

export const fleetPage = declarePage<FleetList>('Fleet');

export interface CommissioningPage {
  results: Results;
  brakeTests: readonly BrakeTest[];
  step?: CommissioningStep | undefined;
  /** The values of a rejected form. */
  rejected?: { message: Text; hint: Text; field: string; entered: Readonly<Record<string, unknown>> };
}

export const commissioningPage = declarePage<CommissioningPage>('Commissioning');

export const firmwarePage = declarePage<{ view: FirmwareView; notice?: Notice }>('Controller firmware');

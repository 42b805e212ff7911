import { DetectorService } from '../src/navigation/markers/detector-service.js';

/** Preloaded into a gateway whose marker detector runs at the rate of a drive to a marker for every use. */
const acquire = DetectorService.prototype.acquire;
DetectorService.prototype.acquire = function () {
  return acquire.call(this, 'approach');
};

import CameraIntrinsics
import Dispatch
import FoundationEssentials

// A well-known recipe for iOS, line by line: take frames, handle every fifth, make a picture of it, and
// read the camera's intrinsic matrix from its attachment. What differs, and why:
//
// - where iOS assigns and ends the app when the value is wrong, there is a `try`: a Swift setter cannot
//   throw (`setActiveVideoMinFrameDuration`, `setCameraIntrinsicMatrixDeliveryEnabled`);
// - `default(for:)` and `startRunning` throw, too, instead of giving nil and posting a notification;
// - locking a pixel buffer and unlocking it is one call, `withUnsafeBytes`;
// - the turned picture's intrinsics are turned along with it.

/// Who gets the pictures.
protocol CaptureDelegate: AnyObject {
  /// A picture was made.
  ///
  /// - Parameter camera: The camera that would have taken this picture as it is, upright.
  func capture(image: BGRAImage, number: UInt32, camera: CameraParameters?)
}

/// Takes frames and makes pictures of some of them.
final class Capture: CaptureVideoDataOutputSampleBufferDelegate {
  let captureSession: CaptureSession
  weak var delegate: (any CaptureDelegate)?

  // One frame of so many is made a picture of.
  var counter = 0
  let dismissCount: Int
  let printsBytes: Bool

  init(_ options: Options) throws {
    dismissCount = options.every
    printsBytes = options.printsBytes
    captureSession = CaptureSession()
    captureSession.sessionPreset = CaptureSession.Preset(options.size)
    let store = IntrinsicsStore(try StoreRoots(given: options.store))
    captureSession.intrinsicsStore = store
    // Beyond iOS: a camera that is pulled out is waited for, whatever its device file is then.
    captureSession.resumesAfterReplug = options.resumes

    let videoDevice =
      if let device = options.device {
        try CaptureDevice(matching: device, store: store)
      } else {
        try CaptureDevice.default(for: CaptureDevice.MediaType.video)
      }
    // 1/30 s: at most 30 frames a second.
    try videoDevice.setActiveVideoMinFrameDuration(MediaTime(value: 1, timescale: 30))

    let videoInput = try CaptureDeviceInput(device: videoDevice)
    try captureSession.addInput(videoInput)

    let videoDataOutput = CaptureVideoDataOutput()
    videoDataOutput.setSampleBufferDelegate(self, queue: DispatchQueue.main)
    videoDataOutput.videoSettings = VideoSettings(pixelFormat: .bgra32)
    videoDataOutput.alwaysDiscardsLateVideoFrames = true
    // The output has a connection only after it has joined the session.
    try captureSession.addOutput(videoDataOutput)

    // Both throw where there is no calibration to deliver, and say what to do. Beyond iOS: the focus
    // is set to where it was when the camera was calibrated, as the numbers hold for that one only.
    let connection = videoDataOutput.connections.first
    try connection?.setLensAsCalibrated()
    try connection?.setCameraIntrinsicMatrixDeliveryEnabled(true)

    let session = captureSession
    session.setNoticeHandler(queue: DispatchQueue.main) { notice in
      say("\(notice)")
      if let error = notice.error, notice.kind == .runtimeError { exit(error) }
    }
    DispatchQueue.global(qos: .userInitiated).async {
      do {
        try session.startRunning()
      } catch {
        say("\(error)")
        exit(error)
      }
    }
  }

  /// Called for each frame.
  func captureOutput(
    _ captureOutput: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection
  ) {
    if counter % dismissCount == 0 {
      do {
        let image = try imageFromSampleBuffer(sampleBuffer: sampleBuffer)

        // The camera's intrinsics: of the frame as it came, before it was turned.
        if let camData = sampleBuffer.attachment(.cameraIntrinsicMatrix) {
          let matrix = camData.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
          if printsBytes {
            show("frame \(sampleBuffer.sequenceNumber) \(hexadecimal(camData))")
          } else {
            show("\(matrix)")
          }
        } else if let reason = sampleBuffer.intrinsicsAbsenceReason {
          show("frame \(sampleBuffer.sequenceNumber) has no intrinsics: \(reason)")
        }
        delegate?.capture(
          image: image, number: sampleBuffer.sequenceNumber,
          camera: sampleBuffer.cameraParameters?.oriented(.right))
      } catch {
        // A frame whose bytes are no picture; the next one is as good.
        say("\(error)")
      }
    }
    counter += 1
  }

  /// A picture of a frame, turned upright from the orientation `right`.
  func imageFromSampleBuffer(sampleBuffer: SampleBuffer) throws -> BGRAImage {
    let imageBuffer = sampleBuffer.imageBuffer
    let image = try imageBuffer.withUnsafeBytes { base in
      try BGRAImage(
        copying: base, width: imageBuffer.width, height: imageBuffer.height,
        bytesPerRow: imageBuffer.bytesPerRow)
    }
    return image.oriented(.right)
  }
}
